"""Series to protect and to forecast: what is known of each, and the value that comes next."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpviz.scenario import ScenarioError
from dpviz.settings.protected_forecasts import LARGEST_VALUE

FloatArray = npt.NDArray[np.float64]
Series = tuple[FloatArray, ...]

# Two seasons for a seasonal forecast, and some values to tell them from noise.
SHORTEST_KNOWN = 30
# Forecasts are made of logarithms.
SMALLEST_VALUE = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class SeriesToProtect:
    """Series of a common time step, each without its last value, which is to be forecast.

    Args:
        source: what they are, as a clause.
        names: of the series.
        known: the values that are protected and that forecasts are made of, shape (length,) each.
        next_values: the value after them in each series, shape (series,): never protected, it only
            says how far off a forecast is.

    Raises:
        ScenarioError: a series is too short, or a value is smaller than 1 or too large.
    """

    source: str
    names: tuple[str, ...]
    known: Series
    next_values: FloatArray

    def __post_init__(self) -> None:
        for name, values, following in zip(self.names, self.known, self.next_values, strict=True):
            if len(values) < SHORTEST_KNOWN:
                raise ScenarioError(
                    "series",
                    name,
                    f"it has {len(values) + 1} values, and {SHORTEST_KNOWN + 1} are needed",
                )
            # Also refuses what is not a number.
            if not (values.min() >= SMALLEST_VALUE and values.max() <= LARGEST_VALUE) or not (
                SMALLEST_VALUE <= following <= LARGEST_VALUE
            ):
                raise ScenarioError(
                    "series",
                    name,
                    f"every value must be a number from {SMALLEST_VALUE:g} to {LARGEST_VALUE:g}, "
                    "as forecasts are made of logarithms: choose a smaller unit, or leave it out",
                )

    def __len__(self) -> int:
        return len(self.names)


def of_whole_series(source: str, whole: dict[str, FloatArray]) -> SeriesToProtect:
    """Return series by their names, with the last value of each to be forecast.

    >>> data = of_whole_series("an example", {"a": np.arange(1.0, 41.0)})
    >>> len(data.known[0]), data.next_values.tolist()
    (39, [40.0])
    """
    return SeriesToProtect(
        source=source,
        names=tuple(whole),
        known=tuple(values[:-1] for values in whole.values()),
        next_values=np.array([values[-1] if len(values) else np.nan for values in whole.values()]),
    )
