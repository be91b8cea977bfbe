"""The rows of a drawn batch: each series over all of its length, its windows in their places."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import CONTEXT, FORECAST, SECRET, Part
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, ShownBatch, ShownSeries, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.sampling.scheme import IntArray
from dpviz.wording.batch_rows import rows_heading, series_label, window_words

Row = tuple[int, ShownSeries]  # from 0, the uppermost
Stretch = tuple[float, float]  # from and to, as parts of a row's height from its lower edge
Bar = tuple[float, float, "Place"]  # left and right end
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


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows as parts of a chart.

    Args:
        traces: as many for each batch of a run, some of them empty.
        axes: by their names; the same for each batch but for the words at the rows.
        headings: words over the rows, and where they begin as a part of the width.
    """

    traces: list[Part]
    axes: Part
    headings: list[tuple[str, float]]


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a window is drawn: upper and lower edge."""

    one: ShownSeries
    window: ShownWindow
    high: float
    low: float

    @property
    def middle(self) -> float:
        """The height between the edges."""
        return round((self.low + self.high) / 2, 3)


def whole_rows(placed: Placement, batch: ShownBatch) -> Rows:
    """Return the rows over the length of a series; lines are made up, places and lengths exact."""
    places, edge = _places(batch), _shown_range(placed)[0]
    context, forecast, hits = [], [], []
    for place in places:
        start = place.window.start + 0.5
        first, last = max(start - placed.context_length, edge), start + placed.forecast_length
        context.append((first, start, place))
        forecast.append((start, last, place))
        hits += [(first, last, place)] if place.window.is_hit else []
    traces = [
        *series_lines(placed, batch, _LINE),
        *window_bars(context, forecast, hits),
        told_windows(placed, places, [place.window.start + 0.5 for place in places]),
        protected_values(placed, batch, _LINE),
    ]
    axes = {
        "xaxis": series_axis(placed, "value of the series, 1 for the first"),
        "yaxis": row_labels(batch, _MIDDLE),
    }
    return Rows(traces=traces, axes=axes, headings=[(rows_heading(batch), 0)])


def series_axis(placed: Placement, title: str) -> Part:
    """Return the axis under rows that show all of a series."""
    return {
        "title": {"text": title, "standoff": 4},
        "range": _shown_range(placed),
        "anchor": "y",
        "showgrid": False,
        "tickformat": ",d",
    }


def _shown_range(placed: Placement) -> list[float]:
    """Return the ends of the horizontal axis: the series, and some of the zeros before it."""
    zeros = min(placed.context_length, int(_PADDING_SHARE * placed.length))
    return [0.5 - zeros, placed.length + 0.5]


def row_labels(
    batch: ShownBatch, middle: float, words: Callable[[ShownSeries], str] = series_label
) -> Part:
    """Return the axis of the rows, one below the other; words at this part of their height."""
    places = [-at - 1 + middle for at in range(len(batch.series))]
    return named_rows([-len(batch.series), 0.05], places, map(words, batch.series))


def named_rows(ends: list[float], places: Sequence[float], words: Iterable[str]) -> Part:
    """Return an upright axis that has words at some places, and neither numbers nor lines."""
    names: Part = {"ticks": "", "tickvals": list(places), "ticktext": list(words)}
    return names | {"range": ends, "fixedrange": True, "showgrid": False, "zeroline": False}


def waves(at: np.ndarray, series: int, parts_of: Sequence[tuple[float, float]]) -> np.ndarray:
    """Return made-up values between 0 and 1, other ones for each series.

    Args:
        at: places, 1 for a whole turn of a wave that turns once.
        parts_of: how often each wave turns, and its height.
    """
    phase = (series % 1000) * _PHASE
    values = sum(
        height * np.sin(2.0 * np.pi * turns * at + (number + 1) * phase)
        for number, (turns, height) in enumerate(parts_of)
    )
    return np.asarray(0.5 + values / (2.0 * sum(height for _, height in parts_of)))


def _y(at: int, placed: Placement, series: int, indices: np.ndarray, line: Stretch) -> list[float]:
    low, high = line
    heights = waves(indices / max(placed.length, 2), series, _WAVES)
    return [round(float(-at - 1 + low + (high - low) * height), 3) for height in heights]


def spread(first: int, last: int, most: int) -> IntArray:
    """Return whole numbers from the first to the last, evenly spread where they are too many."""
    numbers = np.linspace(first, last, min(last - first + 1, most)).round()
    return np.unique(numbers).astype(np.int64)


def series_lines(
    placed: Placement, batch: ShownBatch, line: Stretch, width: float = 2
) -> list[Part]:
    """Return the lines of the series in the batch, and of those that are not."""
    rows = list(enumerate(batch.series))
    drawn = [(at, one) for at, one in rows if one.is_drawn]
    left = [(at, one) for at, one in rows if not one.is_drawn]
    thin = {"color": parts.color("target", 0.7), "width": 1, "dash": "dot"}
    indices = spread(0, placed.length - 1, _POINTS)
    across = (indices + 1).tolist()

    def lines(uid: str, name: str, of: Sequence[Row], look: Part) -> Part:
        x, y = parts.gapped(
            list(zip(across, _y(at, placed, one.series, indices, line), strict=True))
            for at, one in of
        )
        mode = "lines" if placed.length > 1 else "markers"
        return parts.scatter(uid, mode, x, y, name=name, hoverinfo="skip", line=look)

    return [
        lines("drawn", "series in the batch (made up)", drawn, edge("target", width)),
        lines("left", "series not in the batch", left, thin),
    ]


def edge(role: str, width: float) -> Part:
    """Return the look of a line."""
    return {"color": parts.color(role), "width": width}


def _places(batch: ShownBatch) -> list[Place]:
    most = max(len(one.windows) for one in batch.series)
    step = _WINDOWS_HEIGHT / max(most, _LEAST_WINDOWS)
    places = []
    for row, one in enumerate(batch.series):
        for at, window in enumerate(one.windows):
            high = _WINDOWS_TOP - row - 1 - at * step
            low = high - _WINDOW_SHARE * step
            places.append(Place(one=one, window=window, high=round(high, 3), low=round(low, 3)))
    return places


def window_bars(
    context: Sequence[Bar],
    forecast: Sequence[Bar],
    hits: Sequence[Bar],
    *,
    edge_width: float = 1,
    **more: Any,
) -> list[Part]:
    """Return both parts of all windows, and the edges of those that are hits."""
    parts_of_all = (
        ("context", "context of a drawn window", context, CONTEXT.role, 0.25),
        ("forecast", "forecast of it", forecast, FORECAST.role, 0.8),
    )
    return [
        *(_bars(*one, edge_width, **more) for one in parts_of_all),
        _bars(
            "hits", "hit: window with such a value", hits, SECRET.role, 0, 2 * edge_width, **more
        ),
    ]


def _bars(
    uid: str,
    name: str,
    bars: Sequence[Bar],
    role: str,
    density: float,
    width: float,
    **more: Any,
) -> Part:
    x, y = parts.gapped(
        [(left, at.low), (right, at.low), (right, at.high), (left, at.high), (left, at.low)]
        for left, right, at in bars
        if left < right
    )
    return parts.scatter(
        uid,
        "lines",
        x,
        y,
        name=name,
        fill="toself",
        fillcolor=parts.color(role, density),
        hoverinfo="skip",
        line=edge(role, width),
        **more,
    )


def told_windows(placed: Placement, places: Sequence[Place], x: list[float], **more: Any) -> Part:
    """Return where each window tells its numbers."""
    words = (window_words(placed, place.one, place.window) for place in places)
    look = {"color": parts.color(FORECAST.role, 0), "size": 12}
    heights = [place.middle for place in places]
    return parts.points("told", "", x, heights, look, words, showlegend=False, **more)


def protected_values(placed: Placement, batch: ShownBatch, line: Stretch) -> Part:
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
        (protected_words(int(index)) for index in indices),
        cliponaxis=False,  # the first value lies on the plot's edge
    )


def protected_words(index: int) -> str:
    """Return what a mark tells."""
    return f"protected value {index + 1:,} of series 1"
