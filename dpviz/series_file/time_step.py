"""The step from one time stamp to the next, where all of them agree on it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario import ScenarioError, TimeStep
from dpviz.series_file.stamps import Stamps, readings

_SECONDS = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
_MICROSECONDS = 1_000_000
_DAY = 86_400 * _MICROSECONDS


@dataclass(frozen=True)
class FoundStep:
    """The common step, if there is one, and what to tell the user if there is none."""

    step: TimeStep | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StampedRows:
    """The time stamps of a table's rows.

    Args:
        texts: the distinct time stamps.
        stamps: which of them each row has.
        series: the number of the series that each row belongs to.
        column_name: name of the column they stand in.
        are_dates: whether the first of them are dates.
    """

    texts: Sequence[str]
    stamps: NDArray[np.int64]
    series: NDArray[np.int64]
    column_name: str
    are_dates: bool


@dataclass(frozen=True)
class _Spacing:
    """The commonest step between consecutive stamps, and how many are not that far apart."""

    step: TimeStep | None
    exceptions: int
    pairs: int


def common_step(rows: StampedRows) -> FoundStep:
    """Return the time from one value of a series to the next, if it is the same everywhere.

    Rows may come in any order. Months, quarters and years count as equal although their days
    differ in number.
    """
    found = readings(rows.texts, as_years="year" in rows.column_name.lower())
    if not found:
        return FoundStep(None, (_NO_DATES,) if rows.are_dates else ())
    spacings = [_spacing(reading[rows.stamps], rows.series) for reading in found]
    even = {s.step for s in spacings if s.step is not None and not s.exceptions}
    if len(even) == 1:
        return FoundStep(even.pop())
    if even:
        names = " or ".join(sorted(str(step) for step in even))
        return FoundStep(None, (_DAY_OR_MONTH_FIRST.format(names),))
    best = min(spacings, key=lambda spacing: spacing.exceptions)
    if not best.pairs:
        return FoundStep(None)
    if not best.exceptions:
        return FoundStep(None, (_NO_NAME,))
    usual = ""
    if best.step is not None and 2 * best.exceptions < best.pairs:
        usual = f" (not {best.step} in {best.exceptions:,} of {best.pairs:,} places)"
    return FoundStep(None, (_UNEVEN.format(usual),))


_NO_DATES = "Some time stamps could not be read as dates, so the time step is not known."
_DAY_OR_MONTH_FIRST = (
    "The dates can be read with the day first or the month first, so the time step could be {}: "
    "it was left open."
)
_NO_NAME = (
    "The time stamps are equally far apart, but not by a whole number of seconds (or by too many), "
    "so the time step was left open."
)
_UNEVEN = (
    "Consecutive time stamps are not equally far apart{}, so the time step was left open; "
    "lengths count values, and gaps in time are not filled."
)


def _spacing(times: Stamps, series: NDArray[np.int64]) -> _Spacing:
    order = np.lexsort((times, series))
    times, series = times[order], series[order]
    same_series = series[1:] == series[:-1]
    earlier, later = times[:-1][same_series], times[1:][same_series]
    if not len(earlier):
        return _Spacing(None, 0, 0)
    # Months first: 1 January to 1 January is a year, not 365 days.
    calendar = _calendar_step(earlier, later)
    if calendar is not None:
        return _Spacing(calendar, 0, len(earlier))
    differences, counts = np.unique((later - earlier).astype(np.int64), return_counts=True)
    commonest = int(np.argmax(counts))
    return _Spacing(
        _clock_step(int(differences[commonest])),
        len(earlier) - int(counts[commonest]),
        len(earlier),
    )


def _calendar_step(earlier: Stamps, later: Stamps) -> TimeStep | None:
    months = (later.astype("datetime64[M]") - earlier.astype("datetime64[M]")).astype(np.int64)
    if months[0] < 1 or np.any(months != months[0]):
        return None
    same_day = _since_month_start(earlier) == _since_month_start(later)
    last_days = (_until_month_end(earlier) <= _DAY) & (
        _until_month_end(earlier) == _until_month_end(later)
    )
    if not np.all(same_day | last_days):
        return None
    if months[0] == 3:
        return TimeStep(1, "quarter")
    return _in_largest_unit(int(months[0]), {"year": 12, "month": 1})


def _clock_step(microseconds: int) -> TimeStep | None:
    if microseconds <= 0 or microseconds % _MICROSECONDS:
        return None
    return _in_largest_unit(microseconds // _MICROSECONDS, _SECONDS)


def _since_month_start(times: Stamps) -> NDArray[np.int64]:
    """Microseconds since the month began."""
    month = times.astype("datetime64[M]").astype(times.dtype)
    return times.astype(np.int64) - month.astype(np.int64)


def _until_month_end(times: Stamps) -> NDArray[np.int64]:
    """Microseconds until the next month begins."""
    next_month = (times.astype("datetime64[M]").astype(np.int64) + 1).astype("datetime64[M]")
    return next_month.astype(times.dtype).astype(np.int64) - times.astype(np.int64)


def _in_largest_unit(count: int, units: dict[str, int]) -> TimeStep | None:
    unit = next(unit for unit, size in units.items() if count % size == 0)
    try:
        return TimeStep(count // units[unit], unit)
    except ScenarioError:
        return None  # longer than a scenario can say
