"""What a training run tells along the way, and at its end."""

from dataclasses import dataclass, replace

from dpviz.planning.budget_tracker import Spent
from dpviz.planning.over_steps import after_steps
from dpviz.scenario import Scenario
from dpviz.training.forecaster import FloatArray
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import EvaluationWindows


def accounted_scenario(settings: TrainingSettings, spent: Spent | None) -> Scenario | None:
    """Return a run's scenario after the steps that were spent; ``None`` where none were."""
    if spent is None:
        return None
    return after_steps(replace(settings.scenario, delta=spent.delta), spent.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a training run stands. Nothing here is about the values that were trained on.

    Args:
        last_allowed: the most steps, in all, that the budget allows; ``None`` without privacy.
        spent: the proven epsilon with its theorem, unit and count; ``None`` before the first step
            and without privacy. Its ``steps`` may exceed ``step``: steps that an interruption lost
            have been spent.
        validation_crps: error of the forecasts of the held-out windows, in the data's unit;
            ``None`` where none are looked at. Not part of epsilon.
        held_out_loss: mean loss of the held-out windows, likewise.
    """

    step: int
    last_allowed: int | None
    steps_asked: int
    spent: Spent | None
    validation_crps: float | None
    held_out_loss: float | None
    is_private: bool

    @property
    def epsilon_spent(self) -> float | None:
        """Upper bound on epsilon so far; ``None`` without privacy, where there is none."""
        if not self.is_private:
            return None
        return 0.0 if self.spent is None else self.spent.epsilon


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingResult:
    """A finished training run.

    Args:
        crps: error of the forecasts of the test windows; not finite where numbers are too large.
        baseline_crps: that of the seasonal naive forecast of the same windows, likewise.
        spent: the proven epsilon with its theorem, unit and count, of at least ``steps``, as those
            that were lost count, too; ``None`` where no step was taken, and without privacy.
        best_step: the step whose parameters were taken; ``steps`` unless chosen by held-out error.
        quantiles: forecasts of the test windows, in the data's unit, at the levels
            :data:`~dpviz.training.quantiles.LEVELS`, shape (windows, L_F, levels).
        seconds: that this process has trained and evaluated for.
        not_accounted: what was computed from the data and is not part of epsilon, as sentences.
    """

    settings: TrainingSettings
    crps: float
    baseline_crps: float
    spent: Spent | None
    steps: int
    best_step: int
    last_allowed: int | None
    curve: tuple[Progress, ...]
    quantiles: FloatArray
    windows: EvaluationWindows
    parameters: FloatArray
    seconds: float
    versions: dict[str, str]
    not_accounted: tuple[str, ...]

    @property
    def epsilon_spent(self) -> float | None:
        """Upper bound on epsilon; 0 where nothing was trained, ``None`` without privacy."""
        if not self.settings.is_private:
            return None
        return 0.0 if self.spent is None else self.spent.epsilon

    @property
    def accounted_scenario(self) -> Scenario | None:
        """What epsilon is of; ``None`` where nothing is spent."""
        return accounted_scenario(self.settings, self.spent)

    @property
    def model_selection(self) -> str:
        """How the parameters were chosen, in words."""
        if self.settings.validation != "best" or self.settings.model == "naive":
            return "last"
        return "best on held-out windows, not accounted for"
