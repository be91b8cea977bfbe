"""What decides a training run: the mechanism, the budget, the optimiser, and what is evaluated."""

from dataclasses import dataclass

from dpviz.planning.target import Target
from dpviz.sampling import noise_of_windows
from dpviz.sampling.noisy_step import CLIPPING_NORM_RANGE
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice, keep_integer, keep_real
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.training.models import FORECASTERS
from dpviz.training.split import MOST_WINDOWS

OPTIMIZERS = ("adam", "sgd")
VALIDATIONS = ("none", "curve", "best")
LEARNING_RATE_RANGE = (1e-9, 1e6)
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """One training run, all that decides it but the data.

    Args:
        scenario: how batches are drawn and noised, and who is protected. Its data are the shape of
            the *training part* of the panel (:func:`dpviz.training.panel.training_shape`); its
            number of steps and its delta have no effect.
        model: one of :data:`dpviz.training.models.FORECASTERS`. ``naive`` repeats the last
            season and is not trained.
        target: the budget, which training ends before it would be exceeded. ``None``: without
            privacy, with neither noise nor clipping, and without any epsilon.
        clipping_norm: C, the norm that each window's gradient is clipped to.
        optimizer: ``adam`` or ``sgd``, on the noisy sum divided by Lambda.
        seed: the same seed gives the same run, to the last digit. Whoever knows it can subtract
            the noise: for tests and made-up data. ``None``: fresh entropy of the operating system.
        evaluate_every: training steps between two values of the curve.
        validation: what becomes of each series' held-out windows before the test. ``none``: no
            forecast of them is looked at. ``curve``: their error is told along the way, and the
            last parameters are taken. ``best``: the parameters of the smallest error are taken.
            What they tell is not part of epsilon.
        validation_windows: forecasts held out of each series before the test; 0 with ``none``.

    Raises:
        ScenarioError: a value is out of range, or the scenario draws no batches by itself.
    """

    scenario: Scenario
    model: str
    target: Target | None
    most_steps: int
    clipping_norm: float = 1.0
    optimizer: str = "adam"
    learning_rate: float = 0.005
    seed: int | None = None
    evaluate_every: int = 50
    validation: str = "curve"
    validation_windows: int = 1
    test_windows: int = 1

    def __post_init__(self) -> None:
        if self.scenario.shape is None:
            raise ScenarioError("num_series", None, "rates draw no batches; give the data's shape")
        relation = self.scenario.relation
        if relation.num_channels > 1:
            allowed = "the series here have one channel"
            raise ScenarioError("num_channels", relation.num_channels, allowed)
        noise_of_windows(self.scenario)  # refuses one without a unit
        checked_choice("model", self.model, FORECASTERS)
        checked_choice("optimizer", self.optimizer, OPTIMIZERS)
        checked_choice("validation", self.validation, VALIDATIONS)
        keep_real(self, "clipping_norm", *CLIPPING_NORM_RANGE)
        keep_real(self, "learning_rate", *LEARNING_RATE_RANGE)
        if self.seed is not None:
            keep_integer(self, "seed", 0, LARGEST_SEED)
        fewest = 0 if self.validation == "none" else 1
        keep_integer(self, "most_steps", 1, MOST_STEPS)
        keep_integer(self, "evaluate_every", 1, MOST_STEPS)
        keep_integer(self, "validation_windows", fewest, 0 if fewest == 0 else MOST_WINDOWS)
        keep_integer(self, "test_windows", 1, MOST_WINDOWS)

    @property
    def shape(self) -> DataShape:
        """N, L, L_C and L_F of the training part."""
        return self.scenario.given_shape

    @property
    def is_private(self) -> bool:
        """Whether noise is added, and a budget kept to."""
        return self.target is not None
