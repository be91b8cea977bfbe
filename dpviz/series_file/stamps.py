"""Dates and times in texts of many spellings, and the step from one to the next."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.scenario import ScenarioError, TimeStep
from dpviz.scenario.relation import SECONDS_OF_UNITS
from dpviz.series_file.errors import SeriesFileError, quoted

Stamps = NDArray[np.datetime64]

# Spellings of the date alone, after its separators have become hyphens. Day first and month
# first are both tried: which one is meant shows in the step between the dates.
_DATE_FORMATS = (
    "%Y-%m-%d", "%m-%d-%Y", "%d-%m-%Y", "%m-%d-%y", "%d-%m-%y", "%d-%b-%Y", "%d-%B-%Y",
    "%b-%d-%Y", "%B-%d-%Y", "%d-%b-%y", "%Y-%b-%d", "%Y-%m", "%m-%Y", "%b-%Y", "%B-%Y", "%Y-%b",
    "%b-%y",
)  # fmt: skip
_COMPACT_DATE = re.compile(r"(1[89]|2[01])\d{6}", re.ASCII)
_YEAR = re.compile(r"(1[89]|2[01])\d\d", re.ASCII)
_QUARTER = re.compile(
    r"(?P<year>\d{4})[ -]?Q(?P<n>[1-4])|Q(?P<m>[1-4])[ -]?(?P<late>\d{4})", re.ASCII | re.I
)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(:(?P<second>\d\d)(\.(?P<fraction>\d{1,6}))?)?"
    r"( ?(?P<half>[ap])\.?m\.?)?",
    re.ASCII | re.IGNORECASE,
)
_OFFSET = re.compile(r"(?<=:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)$", re.ASCII)
_UNIVERSAL = re.compile(r"(?<=:\d\d)(\.\d+)? ?(UTC|GMT)$", re.ASCII)
_DIGIT = re.compile(r"\d")
_SAMPLE = 50
SERIES = 2**32
_RUN = 2**19
_MOST_STEPS = 10**6  # different ones: then no step is the usual one
_MICROSECONDS = 1_000_000
_DAY = 86_400 * _MICROSECONDS
_NO_DATES = (
    "Some time stamps, such as {}, could not be read as dates: the time step is not known, and "
    "values are taken in the order of the file."
)
_NO_ORDER = (
    "Time stamps such as {} are neither dates nor numbers: values are taken in the order of the "
    "file."
)
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


def readings(
    texts: Sequence[str], *, as_years: bool = False, on_local_clocks: bool = True
) -> list[Stamps]:
    """Return every way to read all of ``texts`` as points in time (to the microsecond).

    Args:
        texts: time stamps without surrounding blanks.
        as_years: whether numbers of four digits are years.
        on_local_clocks: whether stamps with an offset are also read without it.

    Returns:
        No reading, one, or several where day and month can be told apart in no date.

    >>> readings(["2024-01-01 00:00", "2024-01-01 00:30"])[0][1]
    np.datetime64('2024-01-01T00:30:00.000000')
    >>> len(readings(["01/02/2024", "02/02/2024"])), len(readings(["1", "2"]))
    (2, 0)
    """
    if not texts or not all(_DIGIT.search(text) for text in texts[:_SAMPLE]):
        return []
    if all(text.isdigit() for text in texts):
        # Other numbers may be a count of anything.
        pattern = _YEAR if as_years else _COMPACT_DATE
        if all(pattern.fullmatch(text) for text in texts):
            return _parsed(texts, "%Y" if as_years else "%Y%m%d")
        return []
    if texts[0].endswith(("UTC", "GMT")):
        texts = [_UNIVERSAL.sub(r"\1Z", text) for text in texts]
    found = _parsed(texts, "ISO8601")
    if found and on_local_clocks and any(_OFFSET.search(text) for text in texts):
        # Days are equally far apart on the local clock, hours in universal time.
        found += _parsed([_OFFSET.sub("", text) for text in texts], "ISO8601")
    return found or _quarters(texts) or _with_clock(texts)


def looks_like_stamps(texts: Sequence[str]) -> bool:
    """Return whether the first of ``texts`` are dates or times of day, not numbers.

    >>> looks_like_stamps(["10:30", "10:45"]), looks_like_stamps(["north", "south"])
    (True, False)
    """
    # The first half is enough: a line of totals may follow.
    some = texts[: min(_SAMPLE, (len(texts) + 1) // 2)]
    if not some:
        return False
    return all(_CLOCK.fullmatch(text) for text in some) or bool(readings(some))


def _parsed(texts: Sequence[str], spelling: str) -> list[Stamps]:
    # Most spellings fail on the first texts: millions need not be tried.
    if len(texts) > _SAMPLE and not _parsed(texts[:_SAMPLE], spelling):
        return []
    stamps = pd.to_datetime(
        pd.Series(texts, dtype=object), format=spelling, utc=True, errors="coerce"
    )
    if stamps.isna().any():
        return []
    return [stamps.dt.tz_localize(None).to_numpy().astype("datetime64[us]")]


def _quarters(texts: Sequence[str]) -> list[Stamps]:
    months = []
    for text in texts:
        match = _QUARTER.fullmatch(text)
        if match is None:
            return []
        month = 3 * int(match["n"] or match["m"]) - 2
        months.append(f"{match['year'] or match['late']}-{month:02}")
    return [np.array(months, dtype="datetime64[M]").astype("datetime64[us]")]


def _with_clock(texts: Sequence[str]) -> list[Stamps]:
    """Read dates and times of day apart: there are far fewer of each than of stamps."""
    dates, clocks = [], []
    for text in texts:
        # The time of day begins after the last blank (or T) before the first colon.
        colon = text.find(":")
        cut = max(text.rfind(" ", 0, colon), text.rfind("T", 0, colon)) if colon > 0 else -1
        dates.append(text[:cut] if cut > 0 else text)
        clocks.append(text[cut + 1 :] if cut > 0 else "0:00")
    clock_codes, clock_texts = pd.factorize(np.array(clocks, dtype=object))
    offsets = [_microseconds(clock) for clock in clock_texts]
    known = [offset for offset in offsets if offset is not None]
    if len(known) < len(offsets):
        return []
    of_clock = np.array(known, dtype="timedelta64[us]")[clock_codes]
    date_codes, date_texts = pd.factorize(np.array(dates, dtype=object))
    plain = [re.sub(r"[\s/.,_-]+", "-", date.strip()) for date in date_texts]
    # Where points set off the parts, the day comes first.
    month_first = "%m-" if any("." in date for date in date_texts) else "none"
    formats = [form for form in _DATE_FORMATS if not form.startswith(month_first)]
    found = [days for form in formats for days in _parsed(plain, form)]
    distinct = {days.tobytes(): days for days in found}
    return [days[date_codes] + of_clock for days in distinct.values()]


def _microseconds(clock: str) -> int | None:
    match = _CLOCK.fullmatch(clock.strip())
    if match is None:
        return None
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59:
        return None
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] in "pP" else 0)
    seconds = 3600 * hour + 60 * minute + int(match["second"] or 0)
    return 1_000_000 * seconds + int((match["fraction"] or "").ljust(6, "0"))


def order_by_time(
    stamps: NDArray[np.int64], owner: NDArray[np.int64], texts: list[str], *, as_years: bool
) -> NDArray[np.int64]:
    """Return the order of rows by time; of the file where stamps are neither date nor count."""
    # An offset tells which of two equal times of day comes first when clocks are put back.
    found: list[NDArray[np.int64]] = [
        reading.astype(np.int64)
        for reading in readings(texts, as_years=as_years, on_local_clocks=False)
    ]
    if not found:
        counts = _counts(texts)
        if counts is None:
            return np.arange(len(stamps))
        found = [np.argsort(np.argsort(counts))]
    orders = [np.lexsort((times[stamps], owner)) for times in found]
    if any(not np.array_equal(order, orders[0]) for order in orders[1:]):
        # Rows that come in the order of time by one reading only tell which one is meant.
        in_file = np.argsort(owner, kind="stable")
        orders = [order for order in orders if np.array_equal(order, in_file)]
        if len(orders) != 1:
            raise SeriesFileError(
                f"The dates can be read with the day first or the month first, such as "
                f"{quoted(texts[0])}, and come in another order by each: write them as 2024-01-31."
            )
    # Back to one order for all series, in which each one's rows stay in the order of time.
    return orders[0]


def _counts(texts: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        return np.array([float(text) for text in texts])
    except ValueError:
        return None


def _first_unlike(texts: Sequence[str], reads: Callable[[Sequence[str]], object]) -> str:
    """Return the first text with which those before it can no longer be read together."""
    if reads(texts[:-1]):  # as of a line of totals, of which long files are read once more only
        return texts[-1]
    places = range(1, len(texts))
    return texts[bisect_left(places, True, key=lambda count: not reads(texts[:count]))]


def no_time_in(texts: Sequence[str], kind: str) -> str | None:
    """Return the first text that is no time as the others are; ``None`` where all are alike.

    Args:
        kind: of their column: ``time``, ``number``, or another one of which nothing is known.

    >>> no_time_in(["2024-01-01", "2024-01-02", "Total"], "time")
    'Total'
    """
    if kind == "time" and not readings(texts):
        return _first_unlike(texts, readings)
    if kind == "number" and _counts(texts) is None:
        return _first_unlike(texts, lambda some: _counts(some) is not None)
    return None


@dataclass(frozen=True)
class FoundStep:
    """The common step, if there is one, and what to tell the user if there is none."""

    step: TimeStep | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Spacing:
    """The commonest step between consecutive stamps, and how many are not that far apart."""

    step: TimeStep | None
    exceptions: int
    pairs: int


def common_step(
    texts: Sequence[str],
    keys: NDArray[np.int64],
    column_name: str,
    *,
    are_dates: bool,
    is_order_known: bool = False,
) -> FoundStep:
    """Return the time from one value of a series to the next, if it is the same everywhere.

    Rows may come in any order. Months, quarters and years count as equal although their days
    differ in number.

    Args:
        keys: for each row the number of its series, times ``SERIES``, plus that of its stamp; in
            order. They are put in the order of time.
        is_order_known: whether what they are in the order of needs no word.
    """
    found = readings(texts, as_years="year" in column_name.lower())
    if not found:
        wrong = no_time_in(texts, "time" if are_dates else "number")
        is_ordered = not are_dates and (is_order_known or wrong is None)
        note = _NO_DATES if are_dates else _NO_ORDER
        return FoundStep(None, () if is_ordered else (note.format(quoted(wrong)),))
    spacings = [_spacing(reading, keys) for reading in found]
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


def _spacing(reading: Stamps, keys: NDArray[np.int64]) -> _Spacing:
    order = np.argsort(reading, kind="stable")
    times = reading[order]
    if np.any(order[1:] < order[:-1]):
        rank = np.argsort(order)
        keys = np.concatenate([c - c % SERIES + rank[c % SERIES] for c in _runs(keys, 0)])
        keys.sort()
    num_pairs = 0
    months: set[int] = set()
    same_places = True
    counts: Counter[int] = Counter()
    for run in _runs(keys, 1):
        same_series = run[1:] // SERIES == run[:-1] // SERIES
        place = run % SERIES
        earlier, later = times[place[:-1][same_series]], times[place[1:][same_series]]
        if not len(earlier):
            continue
        num_pairs += len(earlier)
        found, number = np.unique((later - earlier).astype(np.int64), return_counts=True)
        counts.update(dict(zip(found.tolist(), number.tolist(), strict=True)))
        if len(counts) > _MOST_STEPS:
            return _Spacing(None, len(keys), len(keys))
        if len(months) <= 1 and same_places:
            between = later.astype("datetime64[M]") - earlier.astype("datetime64[M]")
            months.update(np.unique(between.astype(np.int64)).tolist())
            same_places = _at_same_places(earlier, later)
    if not num_pairs:
        return _Spacing(None, 0, 0)
    # Months first: 1 January to 1 January is a year, not 365 days.
    if same_places and len(months) == 1 and min(months) >= 1:
        count = min(months)
        units = {"quarter": 3} if count == 3 else {"month": 1, "year": 12}
        calendar = _in_largest_unit(count, units)
        if calendar is not None:
            return _Spacing(calendar, 0, num_pairs)
    # The shortest of those that come as often.
    commonest = min(counts, key=lambda step: (-counts[step], step))
    clock = None
    if commonest > 0 and commonest % _MICROSECONDS == 0:
        clock = _in_largest_unit(commonest // _MICROSECONDS, SECONDS_OF_UNITS)
    return _Spacing(clock, num_pairs - counts[commonest], num_pairs)


def _runs(keys: NDArray[np.int64], overlap: int) -> Iterator[NDArray[np.int64]]:
    """Yield keys piece by piece, as copies of millions of dates would need much memory."""
    for start in range(0, len(keys), _RUN):
        yield keys[start : start + _RUN + overlap]


def _at_same_places(earlier: Stamps, later: Stamps) -> bool:
    """Return whether all lie as far from the begin, or the end, of their months."""
    same_day = _since_month_start(earlier) == _since_month_start(later)
    last_days = (_until_month_end(earlier) <= _DAY) & (
        _until_month_end(earlier) == _until_month_end(later)
    )
    return bool(np.all(same_day | last_days))


def _since_month_start(times: Stamps) -> NDArray[np.int64]:
    """Microseconds since the month began."""
    month = times.astype("datetime64[M]").astype(times.dtype)
    return times.astype(np.int64) - month.astype(np.int64)


def _until_month_end(times: Stamps) -> NDArray[np.int64]:
    """Microseconds until the next month begins."""
    next_month = (times.astype("datetime64[M]").astype(np.int64) + 1).astype("datetime64[M]")
    return next_month.astype(times.dtype).astype(np.int64) - times.astype(np.int64)


def _in_largest_unit(count: int, units: dict[str, int]) -> TimeStep | None:
    try:
        return TimeStep.in_largest_unit(count, units)
    except ScenarioError:
        return None  # longer than a scenario can say
