"""What is trained on: the shape of a data set, or sampling rates given directly."""

from dataclasses import dataclass, replace
from typing import Any

from dpviz.scenario.errors import ScenarioError, checked_integer, keep_integer, keep_real

LARGEST_COUNT = 10**9
LONGEST_WINDOW = 10**6
MOST_LENGTHS = 200
SMALLEST_RATE = 1e-9
RATE_ROUNDING = 1e-12  # a rate is a rounded quotient of two whole numbers


@dataclass(frozen=True, kw_only=True)
class DataShape:
    """Number and lengths of the series, and the windows cut from them.

    Args:
        num_series: N, number of time series (public).
        series_lengths: L, in time steps (public). One length when all series share it. For
            series of several lengths, the distinct ones that can attain the worst case, in
            increasing order (see :func:`dpviz.scenario.relation.worst_case_lengths`).
        context_length: L_C, every past value that one window reads, lags included.
        forecast_length: L_F, the values that one window predicts.
        longer_series_beyond: for series of several lengths, the number of start positions up
            to which ``series_lengths`` is complete: longer series may exist that are not
            listed. ``None`` when no length was left out.

    Raises:
        ScenarioError: a value is out of range, or a series is too short to be forecast.
    """

    num_series: int
    series_lengths: tuple[int, ...]
    context_length: int
    forecast_length: int
    longer_series_beyond: int | None = None

    def __post_init__(self) -> None:
        keep_integer(self, "num_series", 1, LARGEST_COUNT)
        keep_integer(self, "context_length", 0, LONGEST_WINDOW)
        keep_integer(self, "forecast_length", 1, LONGEST_WINDOW)
        lengths = tuple(
            checked_integer("series_length", length, 1, LARGEST_COUNT)
            for length in self.series_lengths
        )
        if not 1 <= len(lengths) <= MOST_LENGTHS or list(lengths) != sorted(set(lengths)):
            raise ScenarioError(
                "series_length",
                lengths,
                f"it must be 1 to {MOST_LENGTHS} different lengths in increasing order",
            )
        if lengths[0] < self.forecast_length:
            raise ScenarioError(
                "series_length",
                lengths[0],
                "every series must hold at least one forecast window (forecast_length "
                f"{self.forecast_length})",
            )
        object.__setattr__(self, "series_lengths", lengths)
        if self.longer_series_beyond is not None:
            keep_integer(self, "longer_series_beyond", 1, LARGEST_COUNT)

    @property
    def window_length(self) -> int:
        """L_C + L_F, the number of values in one window."""
        return self.context_length + self.forecast_length

    @property
    def forecast_share(self) -> float:
        """Phi = L_F / (L_C + L_F), the share of a window's values that are forecast."""
        return self.forecast_length / self.window_length

    @property
    def start_positions(self) -> int:
        """T = L - L_F + 1 of the shortest series: where a window may start.

        For bottom-level sampling with replacement every bound grows with k / T, which is
        largest for the shortest series (Schuchardt et al., App. I.1).
        """
        return self.series_lengths[0] - self.forecast_length + 1

    @property
    def is_of_one_length(self) -> bool:
        """Whether all series have the same length."""
        return len(self.series_lengths) == 1 and self.longer_series_beyond is None

    @property
    def longest_positions(self) -> int | None:
        """T of the longest series; ``None`` where longer ones may be left out of the lengths."""
        if self.longer_series_beyond is not None:
            return None
        return self.series_lengths[-1] - self.forecast_length + 1

    def with_value(self, field: str, value: int) -> "DataShape":
        """Return this shape with one number replaced; a series length takes the place of all.

        Raises:
            ScenarioError: the value is not allowed beside the others.
        """
        changes: dict[str, Any] = {field: value}
        if field == "series_length":
            changes = {"series_lengths": (value,), "longer_series_beyond": None}
        elif field == "forecast_length" and self.longer_series_beyond is not None:
            # The same series are left out; T = L - L_F + 1 of each of them is another one.
            from_length = self.longer_series_beyond + self.forecast_length - 1
            beyond = max(from_length, self.series_lengths[0]) - value + 1
            changes["longer_series_beyond"] = min(beyond, LARGEST_COUNT)
        return replace(self, **changes)


def most_steps_of_a_pass(top_rate: float) -> int:
    """Return how many steps use no series twice: 1 / rho, whole.

    >>> most_steps_of_a_pass(0.1), most_steps_of_a_pass(32 / 320)
    (10, 10)
    """
    return int((1.0 + RATE_ROUNDING) / top_rate)


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Sampling rates given directly, with what was known of the shape they came from.

    Args:
        bottom_rate: r, the probability that one drawn window of the series touches what is
            protected.
        top_rate: rho, the probability that a given series is drawn for a step.
        forecast_share: phi = L_F / (L_C + L_F).
        touched_windows: k, the most windows that one individual can touch in one series; at
            most all ``start_positions``.
        start_positions: T, the number of window start positions.
        steps_per_epoch: training steps in one pass over the series; of no effect beyond
            1 / top_rate, the most that a pass can have.
        last_shape: the data shape to go back to, if there was one.
    """

    bottom_rate: float
    top_rate: float
    steps_per_epoch: int
    forecast_share: float | None = None
    touched_windows: int | None = None
    start_positions: int | None = None
    last_shape: DataShape | None = None

    def __post_init__(self) -> None:
        for name in ("bottom_rate", "top_rate"):
            keep_real(self, name, SMALLEST_RATE, 1.0)
        keep_integer(self, "steps_per_epoch", 1, LARGEST_COUNT)
        if self.forecast_share is not None:
            keep_real(self, "forecast_share", 0.0, 1.0)
        for name in ("touched_windows", "start_positions"):
            if getattr(self, name) is not None:
                keep_integer(self, name, 1, LARGEST_COUNT)
        k, positions = self.touched_windows, self.start_positions
        if k is not None and positions is not None and k > positions:
            raise ScenarioError(
                "touched_windows", k, f"it must be at most start_positions ({positions:,})"
            )
