"""What several runs on the same data give away together, and what a budget leaves for more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, Curve, attained_curve, composed_curve
from dpviz.accounting.kinds import variances
from dpviz.guarantees import Bound, Unit, guarantee_for
from dpviz.planning.calibrate import Calibration
from dpviz.planning.proven import Proven, epsilon_of
from dpviz.planning.quantities import rungs_of
from dpviz.planning.search import last_met_exactly
from dpviz.planning.target import Target, log_ratio
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice
from dpviz.scenario.ledger import NamedRun, check_together
from dpviz.scenario.number_text import shown_number

ROOM = ("training", "noise_multiplier")
_MOST_COMBINATIONS = 256
# What the data of several runs have to have in common, where their shapes do not say it.
_PARTS = (
    "the series of the shorter runs are a part in a row of those of the longer ones, chosen "
    "without a look at their values"
)
_EQUAL_LENGTHS = "each series is as long in all runs"


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """What one run adds.

    Args:
        alone: its upper bound on epsilon by itself.
        share: its part of the variance of the privacy loss, which adds up over the runs as epsilon
            does not; 0 to 1, for orientation: no bound rests on it.
        without: upper bound on epsilon of all other runs together; 0 where there is no other, and
            ``None`` where none is finite.
    """

    name: str
    scenario: Scenario
    alone: Proven
    share: float
    without: float | None

    @property
    def bound(self) -> Bound:
        """Theorem, unit and count of its upper bound."""
        return self.alone.bound


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """What is proven about all runs together.

    Args:
        upper: bracket of the upper bound on epsilon at delta; quote ``high``.
        at_half_delta: the upper bound at half of delta; ``None`` where none is finite.
        lower: bracket of the lower bound, to quote ``low``; ``None`` where none is proven.
        lower_bounds: those that ``lower`` rests on, of the runs that it composes; may be empty.
        lower_is_of_all: whether that is what all runs together give away; else it is of the run
            that alone gives away the most, which holds for all of them, too.
        conditions: what has to hold besides the relation, for the upper bound.
    """

    delta: float
    rows: tuple[LedgerRow, ...]
    upper: Bracket
    at_half_delta: float | None
    lower: Bracket | None
    lower_bounds: tuple[Bound, ...]
    lower_is_of_all: bool
    conditions: tuple[str, ...] = ()

    def left_of(self, target_epsilon: float) -> float:
        """Return the epsilon that one more release may have, at half of delta; 0 if none.

        By basic composition: epsilons at half of delta each add up to the target of all together at
        delta.
        """
        if self.at_half_delta is None:
            return 0.0
        return max(0.0, target_epsilon - self.at_half_delta)


@dataclass(frozen=True, kw_only=True)
class Total:
    """Upper bound on epsilon of all runs (``None``: not finite), the last one, and conditions."""

    epsilon: float | None
    last: Bound
    conditions: tuple[str, ...]


def ledger(runs: Sequence[NamedRun], delta: float) -> Ledger:
    """Return what is proven about at least one run on the same data.

    What a later run learns may be chosen by what earlier ones have shown; noise, windows, sampling
    and length of all runs are fixed beforehand (less may be trained, or with more noise).

    Raises:
        ScenarioError: the runs do not belong together, or no bound covers one of them.

    >>> from dpviz.scenario import PRESETS
    >>> twice = [NamedRun(name=name, scenario=PRESETS["toy"].scenario) for name in ("one", "two")]
    >>> found = ledger(twice, 1e-7)
    >>> round(found.rows[0].alone.quoted, 1), round(found.upper.high, 1), found.rows[0].share
    (19.0, 25.9, 0.5)
    """
    own = _own_bounds(runs)
    uppers = _in_any_lengths(own, runs)
    total = composed_curve(*uppers, at_delta=delta)
    lower, is_of_all = lower_of_all(runs, delta)
    spread = variances(uppers, total.interval)
    return Ledger(
        delta=delta,
        rows=tuple(
            LedgerRow(
                name=run.name,
                scenario=run.scenario,
                alone=epsilon_of(composed_curve(own[at], at_delta=delta), delta),
                share=spread[at] / sum(spread) if sum(spread) > 0.0 else 1.0 / len(runs),
                without=_without(uppers, at, delta),
            )
            for at, run in enumerate(runs)
        ),
        upper=total.epsilon_at(delta),
        at_half_delta=total.epsilon_at(delta / 2.0).high,
        lower=None if lower is None else lower.epsilon_at(delta),
        lower_bounds=() if lower is None else (lower.bound_at(delta), *lower.bounds[1:]),
        lower_is_of_all=is_of_all,
        conditions=_conditions(own, runs),
    )


def _conditions(bounds: Sequence[Bound], runs: Sequence[NamedRun]) -> tuple[str, ...]:
    needed = [bound.condition for bound in bounds if bound.condition]
    # What the shapes of all runs do not say.
    if len(_lengths_of(runs)) > 1:
        needed.append(_PARTS)
    elif _assumes_equal_lengths(bounds, runs):
        needed.append(_EQUAL_LENGTHS)
    return tuple(dict.fromkeys(needed))


def total_of(runs: Sequence[NamedRun], delta: float) -> Total:
    """Return the upper bound of all runs alone; arguments and errors as for :func:`ledger`."""
    own = _own_bounds(runs)
    curve = composed_curve(*_in_any_lengths(own, runs), at_delta=delta, only_quoted=True)
    return Total(
        epsilon=curve.quoted_epsilon_at(delta),
        last=own[-1],
        conditions=_conditions(own, runs),
    )


def upper_bounds(runs: Sequence[NamedRun]) -> Sequence[Bound]:
    """Return the upper bound of each run, to be composed; errors as for :func:`ledger`."""
    return _in_any_lengths(_own_bounds(runs), runs)


def _own_bounds(runs: Sequence[NamedRun]) -> list[Bound]:
    if not runs:
        raise ScenarioError("ledger", None, "it needs at least one run")
    check_together(runs)
    return [guarantee_for(run.scenario).upper for run in runs]


def _in_any_lengths(bounds: Sequence[Bound], runs: Sequence[NamedRun]) -> Sequence[Bound]:
    """Return the bounds with a pair of each for every combination of lengths of their series.

    A bound with several pairs has one for each length that a series may have. The same lengths in
    two runs are no sign that each series has the same one in both: some may have grown, others
    ended.
    """
    if _assumes_equal_lengths(bounds, runs):
        return bounds
    together = list(product(*(bound.pairs for bound in bounds)))
    return [
        bound
        if len(bound.pairs) == 1
        else replace(bound, pair=pairs[0], other_pairs=tuple(pairs[1:]))
        for bound, pairs in zip(bounds, zip(*together, strict=True), strict=True)
    ]


def _assumes_equal_lengths(bounds: Sequence[Bound], runs: Sequence[NamedRun]) -> bool:
    """Return whether there are too many combinations, but the same lengths in all runs.

    Raises:
        ScenarioError: there are too many, and other lengths.
    """
    number = prod(len(bound.pairs) for bound in bounds)
    if number <= _MOST_COMBINATIONS:
        return False
    if len(_lengths_of(runs)) > 1:
        raise ScenarioError(
            "series_length",
            f"{number:,} combinations of lengths",
            f"runs with windows by coins may differ in them up to {_MOST_COMBINATIONS}",
        )
    return True


def _lengths_of(runs: Sequence[NamedRun]) -> set[tuple[int, ...]]:
    shapes = [run.scenario.known_shape for run in runs]
    return {shape.series_lengths for shape in shapes if shape is not None}


def _without(uppers: Sequence[Bound], at: int, delta: float) -> float | None:
    others = [*uppers[:at], *uppers[at + 1 :]]
    if not others:
        return 0.0
    return composed_curve(*others, at_delta=delta, only_quoted=True).quoted_epsilon_at(delta)


@dataclass(frozen=True, kw_only=True)
class Room(Calibration):
    """The next run that just keeps all runs together within a budget.

    Args:
        epsilon: upper bound on all runs with it, at the target's delta.
        conditions: what has to hold for epsilon besides the relation.
    """

    epsilon: float
    conditions: tuple[str, ...]


def room_for(runs: Sequence[NamedRun], following: NamedRun, quantity: str, target: Target) -> Room:
    """Return the longest training, or the least noise, of a next run within a budget of all.

    The total of all runs has to meet the target: what is left is no difference of epsilons, since
    these do not add up.

    Args:
        runs: those that were; may be none.
        quantity: ``training`` (steps, or epochs where series are walked through) or
            ``noise_multiplier``.

    Raises:
        ScenarioError: the runs do not belong together, no bound covers one of them, or not even the
            tightest value meets the target.
    """
    checked_choice("quantity", quantity, ROOM)
    start = target.applied_to(following.scenario)
    together = [*runs, replace(following, scenario=start)]
    own = _own_bounds(together)
    varied = quantity
    if quantity == "training":
        varied = "epochs" if guarantee_for(start).upper.unit is Unit.EPOCH else "steps"
    ladder, scenario_at = rungs_of(start, varied)

    def bounds_at(rung: int) -> list[Bound]:
        return [*own[:-1], guarantee_for(scenario_at(rung)).upper]

    def total(rung: int, tolerance: float, *, only_quoted: bool = False) -> float | None:
        curve = composed_curve(
            *_in_any_lengths(bounds_at(rung), together),
            at_delta=target.delta,
            tolerance=tolerance,
            only_quoted=only_quoted,
        )
        return curve.quoted_epsilon_at(target.delta)

    def excess(rung: int, tolerance: float, *, only_quoted: bool = False) -> float:
        return log_ratio(total(rung, tolerance, only_quoted=only_quoted), target.epsilon)

    last = last_met_exactly(excess, ladder)
    epsilon = None if last is None else total(last, DEFAULT_TOLERANCE)
    if last is None or epsilon is None:
        raise _no_room(len(runs), scenario_at(ladder.first), quantity, target)
    return Room(
        scenario=scenario_at(last),
        at_limit=last == ladder.last,
        epsilon=epsilon,
        conditions=_conditions(bounds_at(last), together),
    )


def room_or_why_not(
    runs: Sequence[NamedRun], following: NamedRun, quantity: str, target: Target
) -> Room | str:
    """Return what :func:`room_for` does, or the sentence that says why there is no room.

    Raises:
        ScenarioError: the runs do not belong together, or no bound covers one of them.
    """
    try:
        return room_for(runs, following, quantity, target)
    except ScenarioError as problem:
        if problem.field != "target_epsilon":
            raise
        return problem.allowed[0].upper() + problem.allowed[1:] + "."


def _no_room(runs: int, tightest: Scenario, quantity: str, target: Target) -> ScenarioError:
    least = (
        f"one {tightest.training.unit.removesuffix('s')}"
        if quantity == "training"
        else f"noise_multiplier {shown_number(tightest.noise.noise_multiplier)}"
    )
    beside = f" beside {runs} run{'s' if runs > 1 else ''}" if runs else ""
    return ScenarioError(
        "target_epsilon",
        target.epsilon,
        f"not even {least} of the next run{beside} meets it at delta {target.delta!r}",
    )


def lower_of_all(runs: Sequence[NamedRun], delta: float) -> tuple[Curve | None, bool]:
    """Return the largest proven lower bound on all runs, and whether it is of all together.

    Who sees all runs can look at one: its lower bound holds for all. They compose where the same
    two data sets attain each of them: where the sensitive values are at the same place of the
    same series, which is so where all runs draw the same windows of series of one length, and
    noise on windows makes no other place the worst.
    """
    lowers = [guarantee_for(run.scenario).lower for run in runs]
    proven = [bound for bound in lowers if bound is not None]
    if not proven:
        return None, False
    first = runs[0].scenario.data
    same_windows = isinstance(first, DataShape) and len(first.series_lengths) == 1
    if (
        same_windows
        and len(proven) == len(runs)
        and all(run.scenario.data == first for run in runs)
        and _one_place_is_the_worst([run.scenario for run in runs])
    ):
        if len({replace(bound, count=1) for bound in proven}) == 1:
            whole = replace(proven[0], count=sum(bound.count for bound in proven))
            return attained_curve(whole, delta), True
        return composed_curve(*_composable(proven), at_delta=delta), True
    curves = [attained_curve(bound, delta) for bound in proven]
    best = max(curves, key=lambda curve: curve.quoted_epsilon_at(delta) or 0.0)
    return best, len(runs) == 1


def _composable(bounds: Sequence[Bound]) -> list[Bound]:
    """Return the bounds with as many attacks each as the others, or one.

    Whose attack is composed with whose is free: each run has gradients of its own, and its noise
    and batches are drawn independently of the others'. So one attacker, who holds x against x',
    may choose any attack for each run, and the outputs of all runs are the product of the named
    ones; exchanging x with x' exchanges them in all runs. Where the numbers of attacks differ,
    that is the first of each run.
    """
    if len({len(bound.pairs) for bound in bounds} - {1}) <= 1:
        return [*bounds]
    return [replace(bound, other_pairs=()) for bound in bounds]


def _one_place_is_the_worst(scenarios: Sequence[Scenario]) -> bool:
    """Return whether all runs' attacks are on values at the same place of the series.

    Each is on the place where windows tell most. With other noise on them that may be another
    one, unless the series is so long that some place has all windows that could be touched: no
    place tells more, whatever the noise.
    """
    if len({(one.noise.context_noise, one.noise.forecast_noise) for one in scenarios}) == 1:
        return True
    shape, relation = scenarios[0].shape, scenarios[0].relation
    if shape is None or (relation.level == "user" and relation.width > 1):
        return False  # which of the values are in a row depends on the noise
    needed = shape.context_length + 2 * shape.forecast_length + relation.width - 2
    return shape.series_lengths[0] >= needed
