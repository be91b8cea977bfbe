"""Which settings meet a goal, where two quantities vary and all else stays."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting import DEFAULT_TOLERANCE, best_upper
from dpviz.guarantees import Bound
from dpviz.planning.calibrate import with_windows_per_series
from dpviz.planning.proven import Proven, epsilon_of
from dpviz.planning.subsequences import with_subsequences
from dpviz.planning.target import Goal, Target, excess
from dpviz.planning.ways import noise_per_gradient
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.settings.planner import REGION_AXES

REGION_TOLERANCE = 1e-2
_MOST_VALUES = 17
# How far an axis goes to either side of the scenario's own value.
_REACH = 16.0
_NOISE_REACH = 4.0
_LABEL_NOISES = (
    0.0,
    0.1,
    0.2,
    0.3,
    0.5,
    0.7,
    1.0,
    1.5,
    2.0,
    3.0,
    5.0,
    7.0,
    10.0,
    20.0,
    50.0,
    100.0,
)
_STRIDES = (4, 2, 1)


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One side of the map.

    Args:
        quantity: one of ``REGION_AXES``.
        values: increasing; the scenario's own value is one of them.
        own: the place of that one.
    """

    quantity: str
    values: tuple[float, ...]
    own: int


@dataclass(frozen=True, kw_only=True)
class RegionPoint:
    """What is proven of one place of the map.

    Args:
        scenario: the settings there.
        upper: the upper bound on epsilon at the scenario's delta.
        meets: whether the upper bound is proven to meet the goal.
    """

    scenario: Scenario
    upper: Proven
    meets: bool

    @property
    def bound(self) -> Bound:
        """Theorem, unit and count of the upper bound."""
        return self.upper.bound

    @property
    def noise_per_gradient(self) -> float:
        """Sigma / Lambda, in clipping norms."""
        return noise_per_gradient(self.scenario)


def possible_axes(scenario: Scenario) -> tuple[str, ...]:
    """Return the quantities that can vary: rates given directly have no lengths and batches.

    One bag of windows has no windows per series.

    >>> from dpviz.scenario import PRESETS
    >>> possible_axes(PRESETS["toy"].scenario.with_rates(bottom_rate=0.2))
    ('noise_multiplier', 'training', 'num_subsequences', 'forecast_noise')
    """
    fixed: tuple[str, ...] = ()
    if scenario.shape is None:
        fixed += ("batch_size", "relation_width", "context_length")
    if scenario.sampling.is_bag:
        fixed += ("num_subsequences",)
    return tuple(name for name in REGION_AXES if name not in fixed)


def region_axis(scenario: Scenario, quantity: str) -> Axis:
    """Return values around the scenario's own, at even ratios, as far as any is allowed.

    >>> from dpviz.scenario import PRESETS
    >>> axis = region_axis(PRESETS["toy"].scenario, "batch_size")
    >>> axis.values[0], axis.values[axis.own], axis.values[-1]
    (2, 32, 320)
    """
    checked_choice("axis", quantity, possible_axes(scenario))
    own = axis_value(scenario, quantity)
    if quantity == "num_subsequences":
        values = {1, 2, 4, 8, 16, 32, 64, own}
    elif quantity == "forecast_noise":
        values = {*_LABEL_NOISES, own}
    elif quantity == "noise_multiplier":
        low, high = NOISE_MULTIPLIER_RANGE
        ends = max(low, own / _NOISE_REACH), min(high, own * _NOISE_REACH)
        values = {float(f"{value:.3g}") for value in np.geomspace(*ends, _MOST_VALUES - 1)} | {own}
        values = {min(max(value, low), high) for value in values}
    else:
        low, high = _whole_limits(scenario, quantity)
        ends = max(low, own / _REACH), min(high, max(own, 1) * _REACH)
        values = {round(value) for value in np.geomspace(*ends, _MOST_VALUES - 1)} | {int(own)}
    ordered = tuple(sorted(values))
    return Axis(quantity=quantity, values=ordered, own=ordered.index(own))


def axis_value(scenario: Scenario, quantity: str) -> float:
    """Return the scenario's own value of one of ``REGION_AXES``."""
    if quantity == "training":
        return scenario.training.count
    if quantity == "batch_size":
        return scenario.sampling.batch_size
    if quantity == "num_subsequences":
        return scenario.sampling.num_subsequences
    if quantity == "relation_width":
        return scenario.relation.width
    if quantity == "context_length":
        assert scenario.shape is not None  # rates have none
        return scenario.shape.context_length
    return float(getattr(scenario.noise, quantity))


def with_axis_value(scenario: Scenario, quantity: str, value: float) -> Scenario:
    """Return the scenario with another value of one of ``REGION_AXES``.

    Training stays the same number of steps or epochs, whichever it is counted in.

    Raises:
        ScenarioError: the value is not allowed beside the others.
    """
    if quantity == "training":
        return replace(scenario, training=replace(scenario.training, count=int(value)))
    if quantity in ("batch_size", "context_length"):
        return scenario.with_shape_value(quantity, int(value))[0]
    if quantity == "num_subsequences" and scenario.shape is None:
        return with_windows_per_series(scenario, int(value))
    if quantity == "num_subsequences":
        several = with_subsequences(scenario, int(value))
        return replace(several, training=scenario.training)
    if quantity == "relation_width":
        return replace(scenario, relation=replace(scenario.relation, width=int(value)))
    return replace(scenario, noise=replace(scenario.noise, **{quantity: value}))


def region_scenario(scenario: Scenario, x: Axis, y: Axis, at: tuple[int, int]) -> Scenario:
    """Return the settings of a place (column, row).

    Raises:
        ScenarioError: the two values are not allowed beside the others.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> axes = region_axis(toy, "batch_size"), region_axis(toy, "training")
    >>> region_scenario(toy, *axes, (axes[0].own, axes[1].own)) == toy
    True
    """
    across = x.quantity, x.values[at[0]]
    up = y.quantity, y.values[at[1]]
    try:
        return with_axis_value(with_axis_value(scenario, *across), *up)
    except ScenarioError:
        # Two values may fit each other where the first does not fit what the second replaces.
        return with_axis_value(with_axis_value(scenario, *up), *across)


def region_point(
    scenario: Scenario, goal: Goal, *, tolerance: float = REGION_TOLERANCE
) -> RegionPoint:
    """Return what is proven of some settings.

    Coarsely, but where that leaves open whether the goal is met, as finely as a plan is searched:
    one that just meets a goal is not said to miss it.

    Args:
        scenario: the settings.
        goal: what they have to meet.
        tolerance: largest relative gap of the bracket of epsilon where the goal is far.

    Raises:
        ScenarioError: no bound covers the settings.
    """
    upper = best_upper(scenario, tolerance=tolerance)
    meets = goal.excess(upper) <= 0.0
    if not meets and goal.least_excess(upper) <= 0.0:
        upper = best_upper(scenario)
        meets = excess(scenario, goal, DEFAULT_TOLERANCE) <= 0.0
    return RegionPoint(
        scenario=scenario,
        upper=epsilon_of(upper, scenario.delta),
        meets=meets,
    )


def judged_anew(
    point: RegionPoint, target: Target, *, is_exact: bool = False
) -> RegionPoint | None:
    """Return a place under another target at the same delta; ``None`` where it is too near to tell.

    Args:
        point: the place.
        target: the other target.
        is_exact: whether it was computed as finely as a plan is searched, so that it always tells.

    >>> from dpviz.scenario import PRESETS
    >>> point = region_point(PRESETS["toy"].scenario, Target(epsilon=1.0, delta=1e-7))
    >>> judged_anew(point, Target(epsilon=20.0, delta=1e-7)).meets
    True
    """
    low, high = point.upper.bracket.low, point.upper.quoted
    meets = high is not None and high <= target.epsilon
    certainly_misses = low is not None and low > target.epsilon
    if meets or certainly_misses or is_exact:
        return replace(point, meets=meets)
    return None


def region_stages(x: Axis, y: Axis) -> tuple[tuple[Sequence[int], Sequence[int]], ...]:
    """Return the columns and rows of a coarse map, a finer one, and the whole.

    Each holds those before it, the ends and the scenario's own values.
    """
    stages = [(_every(x, stride), _every(y, stride)) for stride in _STRIDES]
    return tuple(dict.fromkeys(stages))


def _every(axis: Axis, stride: int) -> tuple[int, ...]:
    last = len(axis.values) - 1
    return tuple(sorted({*range(0, last + 1, stride), last, axis.own}))


def _whole_limits(scenario: Scenario, quantity: str) -> tuple[int, int]:
    if quantity == "training":
        per_unit = scenario.steps_per_epoch if scenario.training.unit == "epochs" else 1
        return 1, max(1, MOST_STEPS // per_unit)
    shape = scenario.shape
    assert shape is not None  # rates have no such axes
    longest = shape.series_lengths[-1]
    if quantity == "batch_size":
        smallest = scenario.sampling.num_subsequences
        if scenario.training.unit == "epochs":
            # A smaller batch makes more steps of these epochs than a scenario holds.
            windows = scenario.sampling.largest_batch(shape)
            smallest = max(smallest, math.ceil(windows * scenario.training.count / MOST_STEPS))
        return smallest, scenario.sampling.largest_batch(shape)
    if quantity == "relation_width":
        return 1, max(longest, scenario.relation.width)
    return 1, max(longest, shape.context_length)
