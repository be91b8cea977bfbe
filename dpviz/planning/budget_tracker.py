"""How far training may go on a privacy budget, for a training loop to ask before each step."""

from dataclasses import dataclass, replace
from functools import lru_cache

from dpviz.accounting import Curve, best_upper
from dpviz.guarantees import Unit, guarantee_for
from dpviz.planning.calibrate import calibrated
from dpviz.planning.over_steps import after_steps
from dpviz.planning.proven import Proven, epsilon_of
from dpviz.planning.target import Target
from dpviz.scenario import Scenario, Training
from dpviz.scenario.errors import checked_integer
from dpviz.scenario.mechanism import MOST_STEPS


@dataclass(frozen=True, kw_only=True)
class Spent(Proven):
    """What a part of training has cost: a proven upper bound on epsilon at the target's delta.

    The bound's count may be above the steps taken: what is proven of a longer training holds for a
    part of it.
    """

    steps: int
    delta: float

    @property
    def epsilon(self) -> float | None:
        """The upper bound; ``None`` where none is finite."""
        return self.quoted


class BudgetTracker:
    """Tells which training steps a target (epsilon, delta) allows.

    The last allowed step is looked up once (tenths of a second), so asking costs nothing. Where
    series are walked through, the mechanism is a pass over all of them: its first step spends what
    the whole pass costs, so the last allowed step ends a pass.

    Args:
        scenario: how batches are drawn and noised; how long it trains changes no answer.
        target: what the upper bound must not exceed; its delta takes the place of the scenario's.

    Attributes:
        scenario: the given one, at the target's delta.
        last_step: the most steps that are allowed, at most 10^7; one more is not known to be.

    Raises:
        ScenarioError: not even the first step is allowed, or no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> tracker = BudgetTracker(PRESETS["toy"].scenario, Target(epsilon=10.0, delta=1e-7))
    >>> tracker.last_step, tracker.allows(126), tracker.allows(127)
    (126, True, False)
    >>> f"{tracker.spent_after(50).epsilon:.2f}"
    '8.30'
    """

    def __init__(self, scenario: Scenario, target: Target) -> None:
        self.target = target
        self.scenario = target.applied_to(scenario)
        self._curves: dict[int, Curve] = {}
        is_walk = guarantee_for(self.scenario).upper.unit is Unit.EPOCH
        self._steps_per_unit = per_unit = self.scenario.steps_per_epoch if is_walk else 1
        unit = "epochs" if per_unit > 1 else "steps"
        start = replace(self.scenario, training=Training(unit=unit, count=1))
        self.last_step = _most_units(start, unit, target) * per_unit
        # The search goes by what is quoted, which is not quite monotone. A run whose own epsilon
        # was made the target must not end a few steps early.
        own = min(-(-scenario.num_steps // per_unit) * per_unit, MOST_STEPS)
        if own > self.last_step and target.excess(self._curve_after(own)) <= 0.0:
            self.last_step = own

    def allows(self, steps: int) -> bool:
        """Return whether training may take so many steps in all."""
        return steps <= self.last_step

    def spent_after(self, steps: int) -> Spent:
        """Return the proven epsilon after 1 to 10^7 steps; at most the target's if allowed."""
        steps = checked_integer("steps", steps, 1, MOST_STEPS)
        curve = self._curve_after(steps)
        if self.allows(steps) and self.target.excess(curve) > 0.0:
            # Two grids of the privacy loss: the one of fewer steps happened to round up more.
            curve = self._curve_after(self.last_step)
        upper = epsilon_of(curve, self.target.delta)
        return Spent(bound=upper.bound, bracket=upper.bracket, steps=steps, delta=self.target.delta)

    def _curve_after(self, steps: int) -> Curve:
        units = -(-steps // self._steps_per_unit)
        if units not in self._curves:
            self._curves[units] = best_upper(after_steps(self.scenario, steps))
        return self._curves[units]


@lru_cache(maxsize=32)
def _most_units(scenario: Scenario, unit: str, target: Target) -> int:
    """Return the most steps or epochs that meet a target; runs with other seeds ask the same."""
    return calibrated(scenario, unit, target).training.count
