"""How delta at one epsilon grows with every training step, and runs of other lengths."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dpviz.accounting import Bracket
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.composition import WindowTooLargeError
from dpviz.accounting.curve import Curve, composed_curve
from dpviz.accounting.discretize import loss_range
from dpviz.guarantees import Bound, Kind, Unit, guarantee_for
from dpviz.planning.curves import SMALLEST_DELTA
from dpviz.scenario import Sampling, Scenario, ScenarioError, Training
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.mechanism import MOST_STEPS

_LARGEST_EPSILON = 1e3  # the accountant's domain
# Largest relative gap of the brackets of delta, as far as it can be had at a reasonable cost.
DELTA_TOLERANCE = 1e-3
MOST_CONSECUTIVE_STEPS = 32
_STEPS_SHOWN = 16
# A coarse first grid: it is refined until delta itself meets the tolerance.
_FIRST_TOLERANCE = 5e-3
_MOST_REFINEMENTS = 6
# Where an answer is to be there soon: of so many numbers of steps one, to this tolerance.
COARSE_DELTA_TOLERANCE = 3e-2
_COARSE_EVERY = 3
# Finer grids than these cost seconds; the bracket says what was reached.
_MOST_POINTS = 2**17
_MOST_WINDOW = 2**19


def under_top_level(scenario: Scenario, top_level: str) -> Scenario:
    """Return the run with series chosen in another way; see :func:`with_sampling`."""
    return with_sampling(scenario, replace(scenario.sampling, top_level=top_level))


def with_sampling(scenario: Scenario, sampling: Sampling) -> Scenario:
    """Return the run of as many steps with batches that are drawn in another way.

    Training in epochs stays so where its steps are a whole number of the new epochs: one of one
    bag, a pass over all windows, is many times as long as one over the series.

    Raises:
        ScenarioError: the way does not fit the rest; names the field.

    >>> from dpviz.scenario import PRESETS
    >>> traffic = PRESETS["traffic"].scenario
    >>> bag = with_sampling(traffic, replace(traffic.sampling, top_level="flat"))
    >>> traffic.num_steps, bag.num_steps, bag.training.unit
    (12000, 12000, 'steps')
    """
    after = replace(after_steps(scenario, scenario.num_steps), sampling=sampling)
    return counted_in(after, scenario.training.unit)


def counted_in(scenario: Scenario, unit: str) -> Scenario:
    """Return a run with its length in a unit, where it is a whole number of it; else as it is."""
    if unit == "steps" or scenario.num_steps % scenario.steps_per_epoch:
        return scenario
    return replace(scenario, training=Training(unit="epochs", count=scenario.num_epochs))


def after(scenario: Scenario, length: str) -> Scenario:
    """Return the run cut, or prolonged, to one of the setting ``compared_length``."""
    if length == "run":
        return scenario
    if length == "step":
        return replace(scenario, training=Training(unit="steps", count=1))
    epochs = 10 if length == "ten-epochs" else 1
    # Where not even one fits, the scenario says so.
    epochs = max(1, min(epochs, MOST_STEPS // scenario.steps_per_epoch))
    return replace(scenario, training=Training(unit="epochs", count=epochs))


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaSide:
    """One bound's delta after each of the steps, shape (steps,), and the bound after each."""

    bounds: tuple[Bound, ...]
    delta_low: FloatArray
    delta_high: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaOverSteps:
    """What is proven about delta at one epsilon after each of some numbers of steps.

    Args:
        scenario: the training set-up; how long it trains is of no effect.
        steps: shape (steps,), increasing.
        upper: quote its ``delta_high``, and ``delta_low`` of ``lower``.
    """

    scenario: Scenario
    epsilon: float
    steps: npt.NDArray[np.int64]
    upper: DeltaSide
    lower: DeltaSide | None

    @property
    def are_consecutive(self) -> bool:
        """Whether there is no step between two of the steps."""
        return bool(np.all(np.diff(self.steps) == 1))


def after_steps(scenario: Scenario, steps: int) -> Scenario:
    """Return the scenario's run after so many steps."""
    return replace(scenario, training=Training(unit="steps", count=steps))


def steps_to_show(last: int) -> tuple[int, ...]:
    """Return all steps up to ``last`` if they are few, else ones at even ratios with both ends."""
    last = checked_integer("steps", last, 1, MOST_STEPS)
    if last <= MOST_CONSECUTIVE_STEPS:
        return tuple(range(1, last + 1))
    return tuple(sorted({round(step) for step in np.geomspace(1, last, _STEPS_SHOWN).tolist()}))


def coarse_steps(steps: Sequence[int]) -> tuple[int, ...]:
    """Return some of many increasing numbers of steps, both ends among them.

    >>> coarse_steps(range(1, 9)), coarse_steps((1, 2))
    ((1, 2, 5, 8), (1, 2))
    """
    return tuple(sorted({steps[0], *steps[::-_COARSE_EVERY]}))


def delta_over_steps(
    scenario: Scenario,
    epsilon: float,
    steps: Sequence[int],
    *,
    tolerance: float = DELTA_TOLERANCE,
) -> DeltaOverSteps:
    """Return brackets of delta at one epsilon after each of the steps.

    Where series are walked through, the mechanism is a pass over all of them: delta rises in the
    first step of a pass, and stays until the next pass begins.

    Args:
        epsilon: privacy loss in nats, from 0 to 1,000.
        steps: increasing numbers of steps.
        tolerance: largest relative gap of the brackets, as far as it can be had.

    Raises:
        ScenarioError: a value is out of range, or no bound covers the scenario.
    """
    epsilon = checked_real("epsilon", epsilon, 0.0, _LARGEST_EPSILON)
    counts = [checked_integer("steps", count, 1, MOST_STEPS) for count in steps]
    if not counts or counts != sorted(set(counts)):
        raise ScenarioError("steps", tuple(counts), "it must be increasing numbers, at least one")
    guarantee = guarantee_for(scenario)

    def side_of(bound: Bound) -> DeltaSide:
        after_each = [_after(bound, scenario, count) for count in counts]
        return delta_side(after_each, epsilon, tolerance)

    return DeltaOverSteps(
        scenario=scenario,
        epsilon=epsilon,
        steps=np.array(counts, dtype=np.int64),
        upper=side_of(guarantee.upper),
        lower=None if guarantee.lower is None else side_of(guarantee.lower),
    )


def steps_won(one: DeltaOverSteps, others: Sequence[DeltaOverSteps]) -> tuple[int, ...]:
    """Return the steps after which one run's upper bound lies below every other's lower one.

    All must have the same steps and epsilon.
    """
    won = np.ones(len(one.steps), dtype=np.bool_)
    for other in others:
        assert one.epsilon == other.epsilon
        assert np.array_equal(one.steps, other.steps)
        won &= False if other.lower is None else one.upper.delta_high < other.lower.delta_low
    return tuple(one.steps[won].tolist())


def delta_side(
    bounds: Sequence[Bound], epsilon: float, tolerance: float = DELTA_TOLERANCE
) -> DeltaSide:
    """Return delta at one epsilon by each bound; they are of one run after ever more steps."""
    # Whether a bound from above is attained does not change its numbers.
    alike = [replace(one, kind=Kind.UPPER) if one.bounds_from_above else one for one in bounds]
    brackets: dict[Bound, Bracket] = {}
    interval: float | None = None
    # From the longest run on: its grid is fine enough for most shorter ones.
    for composed in reversed(alike):
        if composed not in brackets:
            curve = _resolved(composed, epsilon, interval, tolerance)
            interval = curve.interval
            brackets[composed] = curve.delta_at(np.array([epsilon])).at(0)
    ordered = [brackets[one] for one in alike]
    low, high = np.array([one.low for one in ordered]), np.array([one.high for one in ordered])
    # Who sees more steps can forget them: what is proven of more holds for fewer, and the other
    # way round.
    return DeltaSide(
        bounds=tuple(bounds),
        delta_low=np.maximum.accumulate(low),
        delta_high=np.minimum.accumulate(high[::-1])[::-1],
    )


def _after(bound: Bound, scenario: Scenario, steps: int) -> Bound:
    """Return the bound after so many steps."""
    sampling = scenario.sampling
    if sampling.has_bins or (sampling.is_shuffled and not bound.bounds_from_above):
        # What an attacker sees of an epoch, and whether the bound is attained, depends on how much
        # of it is trained.
        short = guarantee_for(after_steps(scenario, steps))
        side = short.upper if bound.bounds_from_above else short.lower
        assert side is not None  # as there is one for the whole
        return side
    count = -(-steps // scenario.steps_per_epoch) if bound.unit is Unit.EPOCH else steps
    return replace(bound, count=count)


def _resolved(bound: Bound, epsilon: float, interval: float | None, tolerance: float) -> Curve:
    """Return the curve on a grid that is fine enough for delta at this epsilon."""
    first = max(_FIRST_TOLERANCE, tolerance)
    try:
        curve = composed_curve(bound, interval=interval, tolerance=first)
    except WindowTooLargeError:  # the grid of the longer run; one of its own may be less fine
        curve = composed_curve(bound, tolerance=first)
    gap = _gap(curve, epsilon)
    for _ in range(_MOST_REFINEMENTS):
        if gap <= tolerance:
            break
        refined = curve.interval * max(0.25, 0.8 * float(np.sqrt(tolerance / gap)))
        window = max(len(profile.delta) for profile in curve.high) * curve.interval
        widest = max(loss_range(pair) for pair in bound.pairs)
        if window > _MOST_WINDOW * refined or widest > _MOST_POINTS * refined:
            break
        try:
            finer = composed_curve(bound, interval=refined)
        except WindowTooLargeError:
            break
        finer_gap = _gap(finer, epsilon)
        if finer_gap >= gap:
            break  # what is left is no error of the grid
        curve, gap = finer, finer_gap
    return curve


def _gap(curve: Curve, epsilon: float) -> float:
    delta = curve.delta_at(np.array([epsilon]))
    low, high = float(delta.low[0]), float(delta.high[0])
    return (high - low) / high if high >= SMALLEST_DELTA else 0.0
