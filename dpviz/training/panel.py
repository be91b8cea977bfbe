"""The data that a forecaster is trained on: a panel of univariate time series."""

from dataclasses import dataclass

import numpy as np

from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import ScenarioError, checked_integer
from dpviz.training.forecaster import FloatArray

MOST_SERIES = 100_000
MOST_VALUES = 20_000_000
"""Values of all series together: 160 MB."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """Univariate time series of the same time step, of any lengths.

    Each value stays as it was recorded: a scale or a trend taken out of a series would make all of
    its values depend on each one, and one person's change would then be a change of them all.

    Args:
        series: the values of each series, each of shape (L,), finite; kept as read-only copies.
        names: of each series, all different.
        period: time steps of one season, such as 12 for months; 1 where there is none.

    Raises:
        ScenarioError: a field is not as it must be; the message names it.

    >>> panel = Panel(series=([1, 2, 3], [4, 5]), names=("a", "b"), period=1)
    >>> len(panel), panel.lengths
    (2, (3, 2))
    """

    series: tuple[FloatArray, ...]
    names: tuple[str, ...]
    period: int

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "period", checked_integer("period", self.period, 1, LONGEST_WINDOW)
        )
        names, count = tuple(self.names), len(self.series)
        if not 1 <= count <= MOST_SERIES:
            raise ScenarioError("series", count, f"there must be 1 to {MOST_SERIES:,} series")
        if len(names) != count or len(set(names)) != count:
            raise ScenarioError(
                "names", len(set(names)), f"there must be {count:,} different names, one a series"
            )
        series = tuple(
            _checked_values(name, values) for name, values in zip(names, self.series, strict=True)
        )
        total = sum(len(values) for values in series)
        if total > MOST_VALUES:
            raise ScenarioError(
                "series", total, f"they must have at most {MOST_VALUES:,} values together"
            )
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "series", series)

    def __len__(self) -> int:
        return len(self.series)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Number of values of each series."""
        return tuple(len(values) for values in self.series)


def _checked_values(name: str, values: FloatArray) -> FloatArray:
    try:
        copied = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ScenarioError(f"series {name}", values, "it must be numbers") from None
    if copied.ndim != 1 or not len(copied):
        raise ScenarioError(
            f"series {name}", f"shape {copied.shape}", "it must be one row of at least one value"
        )
    finite = np.isfinite(copied)
    if not finite.all():
        raise ScenarioError(
            f"series {name}", float(copied[~finite][0]), "all its values must be finite numbers"
        )
    copied.setflags(write=False)
    return copied
