"""The data that a forecaster is trained on: a panel of univariate time series."""

from dataclasses import dataclass

import numpy as np

from dpviz.scenario import DataShape, Relation, ScenarioError, TimeStep, worst_case_lengths
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import keep_integer
from dpviz.training.forecaster import FloatArray

MOST_SERIES = 100_000
MOST_VALUES = 20_000_000
"""Values of all series together: 160 MB."""
LARGEST_SIZE = 1e100
SMALLEST_SIZE = 1e-100
"""A window is seen relative to its context, in which the smallest may stand beside the largest;
of their ratio, 1e200, sums over all values stay far below the largest double, 1.8e308."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """Univariate time series of the same time step, of any lengths.

    Each value stays as it was recorded: a scale or a trend taken out of a series would make all of
    its values depend on each one, and one person's change would then be a change of them all.

    Args:
        series: the values of each series, each of shape (L,), finite; kept as read-only copies,
            but for arrays that are read-only already.
        names: of each series, all different.
        period: time steps of one season, such as 12 for months; 1 where there is none.
        time_step: from value to value; ``None`` where that is not known.

    >>> panel = Panel(series=([1, 2, 3], [4, 5]), names=("a", "b"), period=1)
    >>> len(panel), panel.lengths
    (2, (3, 2))
    """

    series: tuple[FloatArray, ...]
    names: tuple[str, ...]
    period: int
    time_step: TimeStep | None = None

    def __post_init__(self) -> None:
        keep_integer(self, "period", 1, LONGEST_WINDOW)
        names, count = tuple(self.names), len(self.series)
        if not 1 <= count <= MOST_SERIES:
            raise ScenarioError("series", count, f"there must be 1 to {MOST_SERIES:,} series")
        if len(names) != count or len(set(names)) != count:
            raise ScenarioError(
                "names", len(set(names)), f"there must be {count:,} different names, one a series"
            )
        series = tuple(map(_checked_values, names, self.series))
        if (total := sum(map(len, series))) > MOST_VALUES:
            allowed = f"they must have at most {MOST_VALUES:,} values together"
            raise ScenarioError("series", total, allowed)
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
        # Parts of a panel are views of it: nobody can change them either.
        copied = values if _is_fixed(values) else np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ScenarioError(f"series {name}", values, "it must be numbers") from None
    if copied.ndim != 1 or not len(copied):
        allowed = "it must be one row of at least one value"
        raise ScenarioError(f"series {name}", f"shape {copied.shape}", allowed)
    if len(wrong := copied[~np.isfinite(copied)]):
        allowed = "all its values must be finite numbers"
        raise ScenarioError(f"series {name}", float(wrong[0]), allowed)
    copied.setflags(write=False)
    return copied


def _is_fixed(values: object) -> bool:
    """Return whether something is an array of numbers that cannot be changed."""
    return (
        isinstance(values, np.ndarray)
        and values.dtype == np.float64
        and not values.flags.writeable
        and (values.base is None or _is_fixed(values.base))
    )


def check_sizes(panel: Panel) -> None:
    """Refuse series with values whose ratios or sums could overflow.

    >>> check_sizes(Panel(series=([0.0, 1e308],), names=("a",), period=1))
    Traceback (most recent call last):
    dpviz.scenario.errors.ScenarioError: 'series a' = 1e+308 is not allowed: ...
    """
    for name, values in zip(panel.names, panel.series, strict=True):
        sizes = np.abs(values)
        wrong = (sizes > LARGEST_SIZE) | ((sizes < SMALLEST_SIZE) & (sizes != 0.0))
        if wrong.any():
            raise ScenarioError(
                f"series {name}",
                float(values[wrong][0]),
                f"the size of each value must be from {SMALLEST_SIZE:g} to {LARGEST_SIZE:g}, or 0; "
                "mend the value, or give all of them in another unit",
            )


def training_shape(
    training: Panel, context_length: int, forecast_length: int, relation: Relation | None = None
) -> DataShape:
    """Return number and lengths of the series of a split's training part, as a scenario has them.

    Who is protected decides which of several lengths can be the worst.

    >>> panel = Panel(series=([1, 2, 3, 4], [5, 6, 7, 8]), names=("a", "b"), period=1)
    >>> training_shape(panel, 2, 1).series_lengths
    (4,)
    """
    return worst_case_lengths(
        training.lengths,
        num_series=len(training),
        context_length=context_length,
        forecast_length=forecast_length,
        relation=relation or Relation(),
    )
