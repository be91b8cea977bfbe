"""The rows of a drawn batch: each series, its windows in their places or enlarged beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import CONTEXT, FORECAST, SECRET, Part
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, ShownBatch, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.sampling.scheme import IntArray
from dpviz.wording.batch_drawing import enlarged_heading, rows_heading, series_label, window_words

Stretch = tuple[float, float]  # from and to, as parts of a height from its lower edge
ROWS: Stretch = (0.47, 1.0)  # of the plot's height
_POINTS = 70
_MOST_MARKS = 40
_LINE: Stretch = (0.58, 0.95)
_MIDDLE = 0.6  # of a row's height
# Windows lie one below the other: as many as the longest row has, or two.
_WINDOWS_TOP, _WINDOWS_HEIGHT, _LEAST_WINDOWS = 0.52, 0.48, 2
_WINDOW_SHARE = 0.8  # of its place that a window fills
_PADDING_SHARE = 0.15  # of the width, at most, for the zeros before the series
_WAVES = ((3.0, 0.6), (7.0, 0.3), (17.0, 0.2))
_PHASE = 1.7  # other lines for each series
# Of enlarged windows.
_SERIES, _WINDOWS = (0.0, 0.3), (0.38, 1.0)  # parts of the plot's width
_ENLARGED_LINE = (0.2, 0.8)  # of a row's height, from its lower edge
_HEIGHT = 0.84  # of a row that its windows fill, one below the other
_WIDE_SHARE, _THIN_SHARE = 0.85, 0.7  # of its place that a window fills
_EDGE, _THIN_EDGE = 1, 0.5  # of a window
_WAVE = (0.2, 0.8)  # of a window's height
_MOST_WITH_LINES = 2  # windows of a row; in more there is no height for a line
_LINE_POINTS, _MOST_HELD = 40, 12  # of a window
_WINDOW_WAVES = ((1.3, 0.5), (4.1, 0.35), (9.7, 0.15))  # in the length of a window
_BESIDE_SERIES, _BESIDE_WINDOW = 0.04, 0.015  # of the length, free on both sides
_TICKS_APART = 0.2  # of a window's length, so that a phone has room for their numbers
_ENLARGED = {"xaxis": "x3", "yaxis": "y"}


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows as parts of a chart; each batch has as many traces, and the same axes."""

    traces: list[Part]
    axes: Part
    headings: list[tuple[str, float]]


class Place(NamedTuple):
    """Where a window is drawn: its context from left to split, its forecast from there to right."""

    window: ShownWindow
    left: float
    split: float
    right: float
    high: float
    low: float

    @property
    def middle(self) -> float:
        """The height between the edges."""
        return round((self.low + self.high) / 2, 3)


def whole_rows(placed: Placement, batch: ShownBatch) -> Rows:
    """Return the rows over the length of a series; lines are made up, places and lengths exact."""
    places = _places(placed, batch)
    traces = [
        *_series_lines(placed, batch, _LINE),
        *_window_bars(places),
        _told_windows(placed, places),
        _protected_values(placed, batch, _LINE),
    ]
    axes = {
        "xaxis": _series_axis(placed, "value of the series, 1 for the first"),
        "yaxis": _row_labels(_MIDDLE, [series_label(one) for one in batch.series]),
    }
    return Rows(traces=traces, axes=axes, headings=[(rows_heading(batch), 0)])


def _series_axis(placed: Placement, title: str) -> Part:
    """Return the axis under rows that show all of a series."""
    look: Part = {"anchor": "y", "showgrid": False, "tickformat": ",d"}
    return {"title": {"text": title, "standoff": 4}, "range": _shown_range(placed), **look}


def _shown_range(placed: Placement) -> list[float]:
    """Return the ends of the horizontal axis: the series, and some of the zeros before it."""
    zeros = min(placed.context_length, int(_PADDING_SHARE * placed.length))
    return [0.5 - zeros, placed.length + 0.5]


def _row_labels(middle: float, words: Sequence[str]) -> Part:
    """Return the axis of the rows, one below the other; words at this part of their height."""
    places = [-at - 1 + middle for at in range(len(words))]
    return {"domain": list(ROWS), **named_rows([-len(words), 0.05], places, words)}


def named_rows(ends: list[float], places: list[float], words: Sequence[str]) -> Part:
    """Return an upright axis that has words at some places, and neither numbers nor lines."""
    names: Part = {"ticks": "", "tickvals": places, "ticktext": words}
    return names | {"range": ends, "fixedrange": True, "showgrid": False, "zeroline": False}


def _waves(at: np.ndarray, series: int, parts_of: Sequence[tuple[float, float]]) -> np.ndarray:
    """Return made-up values between 0 and 1, other ones for each series.

    ``at`` is 1 for a whole turn; ``parts_of`` are how often each wave turns, and its height.
    """
    phase = (series % 1000) * _PHASE
    values = sum(
        height * np.sin(2.0 * np.pi * turns * at + (number + 1) * phase)
        for number, (turns, height) in enumerate(parts_of)
    )
    return np.asarray(0.5 + values / (2.0 * sum(height for _, height in parts_of)))


def _y(at: int, placed: Placement, series: int, indices: np.ndarray, line: Stretch) -> list[float]:
    low, high = line
    heights = _waves(indices / max(placed.length, 2), series, _WAVES)
    return [round(float(-at - 1 + low + (high - low) * height), 3) for height in heights]


def spread(first: int, last: int, most: int) -> IntArray:
    """Return whole numbers from the first to the last, evenly spread where they are too many."""
    numbers = np.linspace(first, last, min(last - first + 1, most)).round()
    return np.unique(numbers).astype(np.int64)


def _series_lines(
    placed: Placement, batch: ShownBatch, line: Stretch, width: float = 2
) -> list[Part]:
    """Return the lines of the series in the batch, and of those that are not."""
    thin = {"color": parts.color("target", 0.7), "width": 1, "dash": "dot"}
    indices = spread(0, placed.length - 1, _POINTS)
    across, mode = (indices + 1).tolist(), "lines" if placed.length > 1 else "markers"
    traces = []
    for uid, name, look in (
        ("drawn", "series in the batch (made up)", _edge("target", width)),
        ("left", "series not in the batch", thin),
    ):
        x, y = parts.gapped(
            list(zip(across, _y(at, placed, one.series, indices, line), strict=True))
            for at, one in enumerate(batch.series)
            if one.is_drawn is (uid == "drawn")
        )
        traces.append(parts.scatter(uid, mode, x, y, name=name, hoverinfo="skip", line=look))
    return traces


def _edge(role: str, width: float) -> Part:
    return {"color": parts.color(role), "width": width}


def _places(placed: Placement, batch: ShownBatch) -> list[Place]:
    first_shown, _ = _shown_range(placed)
    step = _WINDOWS_HEIGHT / max(_LEAST_WINDOWS, *(len(one.windows) for one in batch.series))
    places = []
    for row, one in enumerate(batch.series):
        for at, window in enumerate(one.windows):
            split, top = window.start + 0.5, _WINDOWS_TOP - row - 1 - at * step
            left = max(split - placed.context_length, first_shown)
            high, low = round(top, 3), round(top - _WINDOW_SHARE * step, 3)
            places.append(Place(window, left, split, split + placed.forecast_length, high, low))
    return places


def _window_bars(places: Sequence[Place], *, edge_width: float = 1, **more: Any) -> list[Part]:
    """Return both parts of all windows, and the edges of those that are hits."""
    contexts = [(at.left, at.split, at) for at in places]
    forecasts = [(at.split, at.right, at) for at in places]
    hits = [(at.left, at.right, at) for at in places if at.window.is_hit]
    traces = []
    for uid, name, ends, role, fill, width in (
        ("context", "context of a drawn window", contexts, CONTEXT.role, 0.25, edge_width),
        ("forecast", "forecast of it", forecasts, FORECAST.role, 0.8, edge_width),
        ("hits", "hit: window with such a value", hits, SECRET.role, 0, 2 * edge_width),
    ):
        x, y = parts.gapped(
            [(left, at.low), (right, at.low), (right, at.high), (left, at.high), (left, at.low)]
            for left, right, at in ends
            if left < right
        )
        look = {"fill": "toself", "fillcolor": parts.color(role, fill), "line": _edge(role, width)}
        trace = parts.scatter(uid, "lines", x, y, name=name, hoverinfo="skip", **look, **more)
        traces.append(trace)
    return traces


def _told_windows(placed: Placement, places: Sequence[Place], **more: Any) -> Part:
    """Return where each window tells its numbers."""
    words = (window_words(placed, place.window) for place in places)
    look = {"color": parts.color(FORECAST.role, 0), "size": 12}
    x, y = [place.split for place in places], [place.middle for place in places]
    return parts.points("told", "", x, y, look, words, showlegend=False, **more)


def _protected_values(placed: Placement, batch: ShownBatch, line: Stretch) -> Part:
    """Return the marks of the protected values on the line of their series."""
    row = next(at for at, one in enumerate(batch.series) if one.series == SENSITIVE_SERIES)
    per_run = max(_MOST_MARKS // placed.count, 1)
    runs = spread(0, placed.count - 1, _MOST_MARKS).tolist()
    indices = np.concatenate([spread(*placed.values(run), per_run) for run in runs])
    return parts.points(
        "sensitive",
        "protected value",
        [int(index) + 1 for index in indices],
        _y(row, placed, SENSITIVE_SERIES, indices, line),
        parts.marker(SECRET, 11),
        (_protected_words(int(index)) for index in indices),
        cliponaxis=False,  # the first value lies on the plot's edge
    )


def _protected_words(index: int) -> str:
    return f"protected value {index + 1:,} of series 1"


def enlarged_windows(placed: Placement, batch: ShownBatch) -> Rows:
    """Return rows with the series on the left, and on the right its windows over one another.

    Both have an axis of their own, true to scale; a window has the same height in both.
    """
    most = max(1, *(len(one.windows) for one in batch.series))
    has_lines = most <= _MOST_WITH_LINES
    places = _stacked(placed, batch, _HEIGHT / most, _WIDE_SHARE if has_lines else _THIN_SHARE)
    hits = [place for place in places if place.window.is_hit]
    lines = [_line(placed, place) for place in places if has_lines]
    held = [one for place in hits for one in _held(placed, place, has_lines=has_lines)]
    unlisted: Part = {"showlegend": False, **_ENLARGED}
    thin: Part = {"line": _edge("target", 1.25), "hoverinfo": "skip", **unlisted}
    x, y, words = [x for x, *_ in held], [y for _, y, _ in held], [said for *_, said in held]
    traces = [
        *_series_lines(placed, batch, _ENLARGED_LINE, 1.25),
        _marks("places", places, FORECAST.role),
        _marks("hit-places", hits, SECRET.role),
        *_window_bars(places, edge_width=_EDGE if has_lines else _THIN_EDGE, **_ENLARGED),
        _protected_values(placed, batch, _ENLARGED_LINE),
        parts.scatter("lines", "lines", *parts.gapped(lines), **thin),
        _told_windows(placed, places, **_ENLARGED),
        parts.points(
            "held", "", x, y, parts.marker(SECRET, 9 if has_lines else 4), words, **unlisted
        ),
        _missing(batch) | unlisted,
    ]
    length, window, context = placed.length, placed.window_length, placed.context_length
    # Of the windows the ends and, where there is room, the last value of the context.
    is_apart = min(context, placed.forecast_length) >= _TICKS_APART * window
    axes = {
        "xaxis": _series_axis(placed, "value of the series")
        | _reach(_SERIES, length, _BESIDE_SERIES)
        | {"nticks": 3, "tickangle": 0},
        "xaxis3": _series_axis(placed, "value of the window, 1 for the first")
        | _reach(_WINDOWS, window, _BESIDE_WINDOW)
        | {"tickvals": sorted({1, *([context] if is_apart else []), window})},
        "yaxis": _row_labels(0.5, [series_label(one, " +{:,}") for one in batch.series]),
    }
    headings = [(rows_heading(batch, ""), _SERIES[0]), (enlarged_heading(placed), _WINDOWS[0])]
    return Rows(traces=traces, axes=axes, headings=headings)


def _reach(domain: tuple[float, float], length: int, beside: float) -> Part:
    """Return how far an axis of so many values goes."""
    room = beside * length
    return {"domain": list(domain), "range": [0.5 - room, length + 0.5 + room]}


def _stacked(placed: Placement, batch: ShownBatch, step: float, share: float) -> list[Place]:
    """Return windows that fill a share of a step in height, in the middle of each row."""
    split, right = placed.context_length + 0.5, placed.window_length + 0.5
    places = []
    for row, one in enumerate(batch.series):
        for at, window in enumerate(one.windows):
            middle = -row - 0.5 + len(one.windows) * step / 2 - (at + 0.5) * step
            high, low = (round(middle + side * share * step / 2, 3) for side in (1, -1))
            places.append(Place(window, 0.5, split, right, high, low))
    return places


def _marks(uid: str, places: Sequence[Place], role: str) -> Part:
    """Return an upright line at the first value of each window's forecast in its series."""
    x, y = parts.gapped(
        [(place.window.start + 1, at) for at in (place.low, place.high)] for place in places
    )
    told = "window that predicts from value %{x:,} on<extra></extra>"
    look: Part = {"showlegend": False, "line": _edge(role, 3), "hovertemplate": told}
    return parts.scatter(uid, "lines", x, y, **look)


def _heights(placed: Placement, place: Place, indices: np.ndarray) -> list[float]:
    """Return where the made-up line runs within a window, the same for windows that overlap."""
    low, high = (place.low + part * (place.high - place.low) for part in _WAVE)
    made_up = _waves(indices / placed.window_length, place.window.series, _WINDOW_WAVES)
    return [round(float(low + (high - low) * height), 3) for height in made_up]


def _within(placed: Placement, place: Place, indices: np.ndarray) -> list[int]:
    """Return which values of the window these values of the series are, 1 for the first."""
    first = place.window.start - placed.context_length
    return [int(index) - first + 1 for index in indices]


def _line(placed: Placement, place: Place) -> list[tuple[float, float]]:
    """Return the line within a window; before the series there are zeros, and no line."""
    start = place.window.start
    first = max(start - placed.context_length, 0)
    indices = spread(first, start + placed.forecast_length - 1, _LINE_POINTS)
    heights = _heights(placed, place, indices)
    return list(zip(_within(placed, place, indices), heights, strict=True))


def _held(placed: Placement, place: Place, *, has_lines: bool) -> list[tuple[int, float, str]]:
    """Return the protected values in a window: place, height and words of each mark."""
    last = place.window.start + placed.forecast_length - 1
    first_of_run, last_of_run = placed.values(placed.run_before(last))
    first = max(first_of_run, place.window.start - placed.context_length)
    indices = spread(first, min(last_of_run, last), _MOST_HELD)
    heights = _heights(placed, place, indices) if has_lines else [place.middle] * len(indices)
    words = [_protected_words(int(index)) for index in indices]
    return list(zip(_within(placed, place, indices), heights, words, strict=True))


def _missing(batch: ShownBatch) -> Part:
    """Return why a row has no window."""
    rows = [(at, one) for at, one in enumerate(batch.series) if not one.windows]
    why = ["no window drawn" if one.is_drawn else "not in the batch" for _, one in rows]
    look: Part = {"textposition": "middle right", "textfont": {"color": parts.color("target")}}
    x, y = [0.5] * len(rows), [-at - 0.5 for at, _ in rows]
    return parts.scatter("missing", "text", x, y, text=why, hoverinfo="skip", **look)
