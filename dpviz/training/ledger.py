"""What a training run has spent, and which steps it may still take."""

from dataclasses import replace

from dpviz.guarantees import Unit, guarantee_for
from dpviz.planning.budget_tracker import BudgetTracker, Spent
from dpviz.scenario import Training
from dpviz.training.settings import TrainingSettings


class Ledger:
    """Counts steps, and asks the budget tracker what they cost.

    Args:
        settings: the mechanism and the target; without one, every step asked for is allowed.

    Attributes:
        last_allowed: the most steps, in all, that the budget allows; ``None`` without privacy.
        accounted: steps spent so far.

    Raises:
        ScenarioError: not even the first step is allowed, or no upper bound on an individual
            covers the scenario.
    """

    def __init__(self, settings: TrainingSettings) -> None:
        self.accounted = 0
        self.last_allowed: int | None = None
        self._asked = settings.most_steps
        self._tracker: BudgetTracker | None = None
        self._steps_of_a_pass = 1
        if settings.target is not None:
            asked = Training(unit="steps", count=settings.most_steps)
            scenario = replace(settings.scenario, training=asked)
            if guarantee_for(scenario).upper.unit is Unit.EPOCH:
                self._steps_of_a_pass = scenario.steps_per_epoch
            self._tracker = BudgetTracker(scenario, settings.target)
            self.last_allowed = self._tracker.last_step

    def allows(self, steps: int) -> bool:
        """Return whether so many steps may be spent in all."""
        return self._tracker is None or self._tracker.allows(steps)

    def room(self) -> int:
        """Return how many more steps the budget allows."""
        if self.last_allowed is None:
            return self._asked
        return max(0, self.last_allowed - self.accounted)

    def lose(self, reserved: int) -> None:
        """Count steps as spent that an interrupted run may have taken.

        A walk cannot go on within a pass: its series were drawn in an order that is not kept. The
        pass counts whole in any case, so nothing of the budget is lost by that.
        """
        whole = -(-reserved // self._steps_of_a_pass) * self._steps_of_a_pass
        if self.last_allowed is not None:
            whole = max(reserved, min(whole, self.last_allowed))
        self.accounted = max(self.accounted, whole)

    def spent(self, steps: int) -> Spent | None:
        """Return what so many steps have cost; ``None`` for none, and without privacy."""
        if self._tracker is None or steps == 0:
            return None
        return self._tracker.spent_after(steps)
