"""How batches are drawn, what noise is added, and for how long."""

from dataclasses import dataclass

from dpviz.scenario.data import DataShape
from dpviz.scenario.errors import ScenarioError, checked_choice, keep_integer, keep_real

# How series are drawn, as links and JSON name it.
AT_RANDOM, IN_ORDER, SHUFFLED, BINS, COINS, ONE_BAG = (
    *("without-replacement", "deterministic", "shuffled", "bins", "poisson", "flat"),
)
TOP_LEVELS = (AT_RANDOM, IN_ORDER, SHUFFLED, BINS, COINS, ONE_BAG)
# An epoch uses each series at most once.
WALKS = (IN_ORDER, SHUFFLED, BINS)
# How windows are drawn from a series, or from one bag.
FIXED_NUMBER = "with-replacement"
BOTTOM_LEVELS = (FIXED_NUMBER, COINS)
TRAINING_UNITS = ("steps", "epochs")
MOST_STEPS = 10**7
# More have hundreds of components (bench/accountant.py): an answer would take ten seconds.
MOST_SUBSEQUENCES = 1024
LARGEST_BATCH = 10**9
NOISE_MULTIPLIER_RANGE = (0.1, 100.0)
LARGEST_AUGMENTATION = 1e6


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How a batch is drawn: series first, then windows of each drawn series.

    Args:
        top_level: how series are chosen for a batch; ``flat`` draws windows from one bag.
        bottom_level: how windows are chosen from a series.
        batch_size: Lambda, the (expected) number of windows in a batch.
        num_subsequences: lambda, the (expected) number of windows from each drawn series.
    """

    batch_size: int
    top_level: str = AT_RANDOM
    bottom_level: str = FIXED_NUMBER
    num_subsequences: int = 1

    def __post_init__(self) -> None:
        checked_choice("top_level", self.top_level, TOP_LEVELS)
        checked_choice("bottom_level", self.bottom_level, BOTTOM_LEVELS)
        keep_integer(self, "batch_size", 1, LARGEST_BATCH)
        keep_integer(self, "num_subsequences", 1, MOST_SUBSEQUENCES)
        windows = self.num_subsequences
        if self.series_per_batch < 1:
            raise ScenarioError(
                "batch_size", self.batch_size, f"it must be at least num_subsequences ({windows})"
            )
        if self.is_bag and windows > 1:
            raise ScenarioError("top_level", ONE_BAG, "one bag has no series to draw windows from")

    @property
    def is_bag(self) -> bool:
        """Whether windows are drawn from one bag, whichever series they are of."""
        return self.top_level == ONE_BAG

    @property
    def is_walk(self) -> bool:
        """Whether an epoch uses each series at most once, in order, shuffled, or by bins."""
        return self.top_level in WALKS

    @property
    def is_walk_in_order(self) -> bool:
        """Whether every epoch walks through the series in the same order."""
        return self.top_level == IN_ORDER

    @property
    def is_shuffled(self) -> bool:
        """Whether each epoch walks through the series in an order of its own."""
        return self.top_level == SHUFFLED

    @property
    def has_bins(self) -> bool:
        """Whether each epoch puts each series into one of its batches, at random and by itself."""
        return self.top_level == BINS

    @property
    def takes_series_by_coins(self) -> bool:
        """Whether each series is in a batch by a coin of its own."""
        return self.top_level == COINS

    @property
    def takes_windows_by_coins(self) -> bool:
        """Whether each window is in a batch by a coin of its own, not a fixed number of them."""
        return self.bottom_level == COINS

    @property
    def composed_unit(self) -> str:
        """What bounds compose: an ``epoch`` of a walk, else a ``step``."""
        return "epoch" if self.is_walk else "step"

    @property
    def series_per_batch(self) -> int:
        """N' = floor(Lambda / lambda), the series in one batch; of bins see the scenario."""
        return self.batch_size // self.num_subsequences

    @property
    def windows_per_batch(self) -> int:
        """N' lambda, the windows in one batch: Lambda, or less where lambda does not divide it."""
        return self.series_per_batch * self.num_subsequences

    def largest_batch(self, shape: DataShape) -> int:
        """Return the largest Lambda: an epoch must have at least one step."""
        if self.is_bag:
            return shape.num_series * shape.start_positions
        return shape.num_series * self.num_subsequences


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Noise on the summed gradient, and on context and labels.

    Args:
        noise_multiplier: sigma, standard deviation of the noise on the sum of clipped
            gradients, in units of the clipping norm.
        context_noise: sigma_C, standard deviation on context values, in units of max_change.
        forecast_noise: sigma_F, standard deviation on forecast values, likewise.
    """

    noise_multiplier: float
    context_noise: float = 0.0
    forecast_noise: float = 0.0

    def __post_init__(self) -> None:
        keep_real(self, "noise_multiplier", *NOISE_MULTIPLIER_RANGE)
        keep_real(self, "context_noise", 0.0, LARGEST_AUGMENTATION)
        keep_real(self, "forecast_noise", 0.0, LARGEST_AUGMENTATION)

    @property
    def is_on_windows(self) -> bool:
        """Whether context or labels are noised."""
        return self.context_noise > 0.0 or self.forecast_noise > 0.0


@dataclass(frozen=True, kw_only=True)
class Training:
    """How long training runs: a number of steps, or of passes over all series."""

    unit: str
    count: int

    def __post_init__(self) -> None:
        checked_choice("training_unit", self.unit, TRAINING_UNITS)
        keep_integer(self, "count", 1, MOST_STEPS, field=self.unit)
