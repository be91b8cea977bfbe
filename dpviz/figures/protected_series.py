"""A drawing of one series with the protected values, and the windows that touch them."""

from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.batch_rows import spread
from dpviz.figures.parts import CONTEXT, FORECAST, SECRET, STYLES, Part, Spec
from dpviz.planning.placement import Excerpt, Placement, SeriesCalendar
from dpviz.wording.protected_values import span_words, starts_heading, windows_heading

# A line of more points is not finer on any screen; nor are marks on more values told apart.
_MOST_POINTS = 600
_MOST_MARKED = 12
_SERIES = (0.0, 2.0)
_STARTS = (-1.75, -1.35)
_WINDOWS_TOP, _WINDOW_HEIGHT, _WINDOW_STEP = -3.1, 0.5, 0.75
_HEADING_ROOM = 0.15
_MOST_TICKS = 12  # of whole numbers; Plotly would put some between fewer
_ROOM_FOR_ZEROS = 0.3  # the part of the width that the words for them take on a phone
_BESIDE = STYLES[6].role
_WAVES = ((11.0, 0.55), (27.0, 0.3), (3.0, 0.25))  # over the drawn part, with their heights


class _SeriesAxis:
    """Places on the horizontal axis: dates where all that is drawn has one, else numbers."""

    def __init__(self, part: Excerpt, series_calendar: SeriesCalendar | None) -> None:
        is_covered = series_calendar is not None and series_calendar.covers(part.first, part.last)
        self.calendar = series_calendar if is_covered else None
        # Dates speak for themselves, and take two lines.
        self.title = "value of the series, 1 for the first" if self.calendar is None else ""
        self.ticks: Part = {}
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


def protected_series(
    placed: Placement,
    part: Excerpt,
    *,
    series_calendar: SeriesCalendar | None,
    title: str,
    identity: str,
) -> Spec:
    """Return the drawing: the series, the starts of the windows that touch, some windows.

    The line itself is made up; places, lengths and counts are exact. Without ``series_calendar``
    the axis has numbers from 1 on.
    """
    axis = _SeriesAxis(part, series_calendar)
    lowest = _WINDOWS_TOP - _WINDOW_STEP * len(part.starts)
    runs = [_protected(axis, placed, part, at) for at in range(part.runs)]
    values, starts = [one for one, _ in runs], [one for _, one in runs]
    notes = [
        parts.note(text, 0, y + _HEADING_ROOM, ("left", "bottom"), xref="paper")
        for text, y in (
            (starts_heading(placed), _STARTS[1]),
            (windows_heading(placed, part), _WINDOWS_TOP),
        )
    ]
    if -part.first >= _ROOM_FOR_ZEROS * (part.last - part.first):
        words, place = "zeros before<br>the series", axis.at(part.first)
        notes.append(parts.note(words, place, _SERIES[1], ("left", "top"), align="left"))
    return parts.figure(
        [_line(axis, part), *values, *starts, *_windows(axis, placed, part)],
        title,
        identity,
        parts.axis(
            axis.title,
            type="linear" if axis.calendar is None else "date",
            range=[axis.at(part.first), axis.at(part.last + 1)],
            showgrid=False,
            **axis.ticks,
        ),
        {"visible": False, "range": [lowest, _SERIES[1] + 0.8], "fixedrange": True},
        shapes=[parts.stretch(axis.at(part.first), axis.at(0))] if part.first < 0 else [],
        annotations=notes,
    )


def _line(axis: _SeriesAxis, part: Excerpt) -> Part:
    ink = parts.color("target")
    return _values(
        axis,
        part,
        (max(part.first, 0), part.last),
        "series",
        "lines" if part.last > 0 else "markers",
        name="series (made up)",
        line={"color": ink, "width": 1.5},
        marker={"color": ink, "size": 4},
        hoverinfo="skip",
    )


def _values(
    axis: _SeriesAxis, part: Excerpt, span: tuple[int, int], uid: str, mode: str, **more: Any
) -> Part:
    """Return a part of the series; its values are made up, equally lively at every scale."""
    indices = spread(*span, _MOST_POINTS)
    low, high = _SERIES
    turn = 2.0 * np.pi * indices / max(part.last - part.first + 1, 1)
    waves = sum(height * np.sin(count * turn + count) for count, height in _WAVES)
    reach = sum(height for _, height in _WAVES)
    heights = np.asarray((low + high) / 2 + waves * (high - low) / (2 * reach))
    x = [axis.middle(index) for index in indices.tolist()]
    return parts.scatter(uid, mode, x, heights.round(4).tolist(), **more)


def _protected(axis: _SeriesAxis, placed: Placement, part: Excerpt, at: int) -> tuple[Part, Part]:
    """Return the protected values of a run, and the starts of the windows that touch them."""
    first, last = values = placed.values(at)
    drawn = _values(
        axis,
        part,
        values,
        f"protected-{at}",
        "lines+markers" if last - first < _MOST_MARKED else "lines",
        name="protected values",
        legendgroup="protected",
        showlegend=at == 0,
        line=parts.stroke(SECRET, 4),
        marker=parts.marker(SECRET, 11),
        text=f"protected: {axis.words(first, last)}",
        hovertemplate=parts.HOVER_TEXT,
    )
    first, last = touched = placed.touched(at)
    starts = _bar(
        axis,
        f"starts-{at}",
        touched,
        _STARTS,
        f"{last - first + 1:,} starts: {axis.words(first, last)}",
        name="starts that touch",
        legendgroup="starts",
        showlegend=at == 0,
        fillcolor=parts.color(SECRET.role, 0.26),
        line=parts.stroke(SECRET, 1.5),
    )
    return drawn, starts


def _windows(axis: _SeriesAxis, placed: Placement, part: Excerpt) -> list[Part]:
    traces, named = [], set()
    for row, start in enumerate(part.starts):
        top = _WINDOWS_TOP - row * _WINDOW_STEP
        touches = placed.touches(start)
        said = "touches" if touches else "does not touch"
        read = (max(start - placed.context_length, part.first), start - 1)
        for role, (first, last) in (
            ("context", read),
            ("forecast", (start, start + placed.forecast_length - 1)),
        ):
            if first > last:
                continue
            name, shade, density, edge = _WINDOW_LOOKS[touches, role]
            bar = _bar(
                axis,
                f"{role}-{row}",
                (first, last),
                (top - _WINDOW_HEIGHT, top),
                f"{role} of a window that {said}: {axis.words(first, last)}",
                name=name,
                legendgroup=name,
                showlegend=name not in named,
                legendrank=_LAST_RANK - touches,
                customdata=[start],
                fillcolor=parts.color(shade, density),
                line={"color": parts.color(shade), **edge},
            )
            traces.append(bar)
            named.add(name)
    return traces


_LAST_RANK = 1002  # of what has none it is 1000
_EDGE: Part = {"width": 1.5}
_DOTTED: Part = {"width": 1, "dash": "dot"}
# By whether a window touches, and its part: name, colour, how dense it is, and its edge.
_WINDOW_LOOKS = {
    (True, "context"): ("context", CONTEXT.role, 0.25, _EDGE),
    (True, "forecast"): ("forecast", FORECAST.role, 0.8, _EDGE),
    (False, "context"): ("touches nothing", _BESIDE, 0.06, _DOTTED),
    (False, "forecast"): ("touches nothing", _BESIDE, 0.25, _DOTTED),
}


def _bar(
    axis: _SeriesAxis,
    uid: str,
    span: tuple[int, int],
    heights: tuple[float, float],
    text: str,
    **more: Any,
) -> Part:
    (left, right), (low, high) = (axis.at(span[0]), axis.at(span[1] + 1)), heights
    told: Part = {"text": text, "fill": "toself", "hoveron": "fills", "hoverinfo": "text"}
    x, y = [left, right, right, left, left], [low, low, high, high, low]
    return parts.scatter(uid, "lines", x, y, **told, **more)
