"""The horizontal axis of a drawn series: dates where they are known, else numbers of values."""

from typing import Any

from dpviz.planning.placement import Excerpt, SeriesCalendar
from dpviz.wording.protected_values import span_words

_MOST_TICKS = 12  # of whole numbers; Plotly would put some between fewer


class SeriesAxis:
    """Places on the horizontal axis: dates where all that is drawn has one, else numbers."""

    def __init__(self, part: Excerpt, series_calendar: SeriesCalendar | None) -> None:
        is_covered = series_calendar is not None and series_calendar.covers(part.first, part.last)
        self.calendar = series_calendar if is_covered else None
        # Dates speak for themselves, and take two lines.
        self.title = "value of the series, 1 for the first" if self.calendar is None else ""
        self.ticks: dict[str, Any] = {}
        if self.calendar is None:
            are_few = part.last - part.first < _MOST_TICKS
            self.ticks = {"tickformat": ",d", **({"dtick": 1} if are_few else {})}

    def at(self, index: int) -> str | float:
        """Return where a value begins."""
        if self.calendar is None:
            return index + 0.5
        moment = self.calendar.moment(index)
        assert moment is not None  # the calendar covers all that is drawn
        return moment.isoformat(sep=" ")

    def middle(self, index: int) -> str | float:
        """Return the middle of a value's time."""
        if self.calendar is None:
            return index + 1.0
        start, end = self.calendar.moment(index), self.calendar.moment(index + 1)
        assert start is not None  # as above
        assert end is not None
        return (start + (end - start) / 2).isoformat(sep=" ", timespec="seconds")

    def words(self, first: int, last: int) -> str:
        """Return which values these are; before the series there are zeros."""
        if last < 0:
            return "zeros before the series"
        zeros = " and zeros before the series" if first < 0 else ""
        return span_words(max(first, 0), last, self.calendar) + zeros
