"""Which settings meet a goal, where two quantities vary and all else stays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpviz.accounting import DEFAULT_TOLERANCE, best_upper
from dpviz.guarantees import Bound
from dpviz.planning.proven import Proven, epsilon_of
from dpviz.planning.quantities import MAPPED, QUANTITIES, value_of, with_value
from dpviz.planning.target import Goal, Target, excess
from dpviz.planning.ways import noise_per_gradient
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice

REGION_TOLERANCE = 1e-2
_STRIDES = (4, 2, 1)


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One side of the map.

    Args:
        quantity: one of ``MAPPED``.
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
    return tuple(name for name in MAPPED if name not in fixed)


def region_axis(scenario: Scenario, quantity: str) -> Axis:
    """Return values around the scenario's own, at even ratios, as far as any is allowed.

    >>> from dpviz.scenario import PRESETS
    >>> axis = region_axis(PRESETS["toy"].scenario, "batch_size")
    >>> axis.values[0], axis.values[axis.own], axis.values[-1]
    (2, 32, 320)
    """
    checked_choice("axis", quantity, possible_axes(scenario))
    own, around = value_of(scenario, quantity), QUANTITIES[quantity].around
    ordered = tuple(sorted({*(around(scenario) if around else ()), own}))
    return Axis(quantity=quantity, values=ordered, own=ordered.index(own))


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
        return with_value(with_value(scenario, *across), *up)
    except ScenarioError:
        # Two values may fit each other where the first does not fit what the second replaces.
        return with_value(with_value(scenario, *up), *across)


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
