"""What a budget leaves for the next run, beside the runs that were."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dpviz.accounting import DEFAULT_TOLERANCE
from dpviz.accounting.together import total_curve
from dpviz.guarantees import Unit, guarantee_for
from dpviz.planning.boundary import Ladder, last_met
from dpviz.planning.ladders import rungs_of
from dpviz.planning.ledger import upper_bounds
from dpviz.planning.target import Target, log_ratio
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice
from dpviz.scenario.ledger import NamedRun

ROOM = ("training", "noise_multiplier")
_COARSE_TOLERANCE = 0.1
_SMALL_STRIDE = 5e-4


@dataclass(frozen=True, kw_only=True)
class Room:
    """The next run that just keeps all runs together within a budget.

    Args:
        scenario: the next run, with the quantity found.
        epsilon: upper bound on all runs with it, at the target's delta.
        at_limit: whether the quantity is the loosest of all that are searched.
    """

    scenario: Scenario
    epsilon: float
    at_limit: bool


def room_for(runs: Sequence[NamedRun], following: NamedRun, quantity: str, target: Target) -> Room:
    """Return the longest training, or the least noise, of a next run within a budget.

    The total of all runs is what has to meet the target: what is left is no difference of
    epsilons, since these do not add up.

    Args:
        runs: those that were; may be none.
        following: the next one; its own value of the quantity is of no effect.
        quantity: ``training`` (steps, or epochs where series are walked through) or
            ``noise_multiplier``.
        target: what all runs together must meet.

    Raises:
        ScenarioError: the runs do not belong together, no bound covers one of them, or not even
            the tightest value meets the target.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> short = replace(toy, training=replace(toy.training, count=50))
    >>> was = [NamedRun(name="was", scenario=short)]
    >>> room = room_for(was, NamedRun(name="next", scenario=toy), "training",
    ...                 Target(epsilon=10.0, delta=1e-7))
    >>> room.scenario.num_steps  # of 126 in all
    76
    """
    checked_choice("quantity", quantity, ROOM)
    start = target.applied_to(following.scenario)
    named = replace(following, scenario=start)
    before = upper_bounds([*runs, named])[:-1]
    if quantity == "training":
        is_walk = guarantee_for(start).upper.unit is Unit.EPOCH
        ladder, scenario_at = rungs_of(start, "epochs" if is_walk else "steps")
    else:
        ladder, scenario_at = rungs_of(start, quantity)

    def total(rung: int, tolerance: float, *, only_quoted: bool = False) -> float | None:
        new = upper_bounds([replace(following, scenario=scenario_at(rung))])
        curve = total_curve(
            [*before, *new], at_delta=target.delta, tolerance=tolerance, only_quoted=only_quoted
        )
        return curve.quoted_epsilon_at(target.delta)

    found = _found(total, ladder, target)
    if found is None:
        raise _no_room(runs, before, scenario_at(ladder.first), quantity, target)
    epsilon = total(found, DEFAULT_TOLERANCE)
    assert epsilon is not None  # it meets a finite target
    return Room(scenario=scenario_at(found), epsilon=float(epsilon), at_limit=found == ladder.last)


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


def _found(total: Callable[..., float | None], ladder: Ladder, target: Target) -> int | None:
    def excess(tolerance: float, *, only_quoted: bool = False) -> Callable[[int], float]:
        return lambda rung: log_ratio(
            total(rung, tolerance, only_quoted=only_quoted), target.epsilon
        )

    # As a single run is calibrated: most of the search by what is quick, the last word exact.
    start = ladder.middle
    for tolerance, resolution in ((_COARSE_TOLERANCE, 0.02), (DEFAULT_TOLERANCE, 0.0)):
        quick = excess(tolerance, only_quoted=True)
        found = last_met(quick, ladder, start=start, resolution=resolution)
        start = ladder.first if found is None else found
    return last_met(excess(DEFAULT_TOLERANCE), ladder, start=start, stride=_SMALL_STRIDE)


def _no_room(
    runs: Sequence[NamedRun],
    before: Sequence[object],
    tightest: Scenario,
    quantity: str,
    target: Target,
) -> ScenarioError:
    least = (
        f"one {tightest.training.unit.removesuffix('s')}"
        if quantity == "training"
        else f"noise_multiplier {tightest.noise.noise_multiplier:g}"
    )
    beside = f" beside {len(runs)} run{'s' if len(runs) > 1 else ''}" if before else ""
    return ScenarioError(
        "target_epsilon",
        target.epsilon,
        f"not even {least} of the next run{beside} meets it at delta {target.delta:g}",
    )
