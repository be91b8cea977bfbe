"""The rows of a drawn batch: each series over all of its length, its windows in their places."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import CONTEXT, FORECAST, SECRET, Part
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, ShownBatch, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.sampling.scheme import IntArray
from dpviz.wording.batch_drawing import rows_heading, series_label, window_words

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
    """Where a window is drawn.

    Args:
        left: where its context begins.
        split: where its forecast begins.
        right: where it ends.
        high: its upper edge.
        low: its lower edge.
    """

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


Bar = tuple[float, float, Place]  # left and right end


def whole_rows(placed: Placement, batch: ShownBatch) -> Rows:
    """Return the rows over the length of a series; lines are made up, places and lengths exact."""
    places = _places(placed, batch)
    traces = [
        *series_lines(placed, batch, _LINE),
        *window_bars(places),
        told_windows(placed, places),
        protected_values(placed, batch, _LINE),
    ]
    axes = {
        "xaxis": series_axis(placed, "value of the series, 1 for the first"),
        "yaxis": row_labels(_MIDDLE, [series_label(one) for one in batch.series]),
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


def row_labels(middle: float, words: Sequence[str]) -> Part:
    """Return the axis of the rows, one below the other; words at this part of their height."""
    places = [-at - 1 + middle for at in range(len(words))]
    return {"domain": list(ROWS), **named_rows([-len(words), 0.05], places, words)}


def named_rows(ends: list[float], places: list[float], words: Sequence[str]) -> Part:
    """Return an upright axis that has words at some places, and neither numbers nor lines."""
    names: Part = {"ticks": "", "tickvals": places, "ticktext": words}
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
    thin = {"color": parts.color("target", 0.7), "width": 1, "dash": "dot"}
    indices = spread(0, placed.length - 1, _POINTS)
    across = (indices + 1).tolist()

    def lines(uid: str, name: str, look: Part, *, are_drawn: bool) -> Part:
        x, y = parts.gapped(
            list(zip(across, _y(at, placed, one.series, indices, line), strict=True))
            for at, one in enumerate(batch.series)
            if one.is_drawn is are_drawn
        )
        mode = "lines" if placed.length > 1 else "markers"
        return parts.scatter(uid, mode, x, y, name=name, hoverinfo="skip", line=look)

    return [
        lines("drawn", "series in the batch (made up)", edge("target", width), are_drawn=True),
        lines("left", "series not in the batch", thin, are_drawn=False),
    ]


def edge(role: str, width: float) -> Part:
    """Return the look of a line."""
    return {"color": parts.color(role), "width": width}


def _places(placed: Placement, batch: ShownBatch) -> list[Place]:
    first_shown, _ = _shown_range(placed)
    step = _WINDOWS_HEIGHT / max(_LEAST_WINDOWS, *(len(one.windows) for one in batch.series))
    places = []
    for row, one in enumerate(batch.series):
        for at, window in enumerate(one.windows):
            split = window.start + 0.5
            high = _WINDOWS_TOP - row - 1 - at * step
            place = Place(
                window=window,
                left=max(split - placed.context_length, first_shown),
                split=split,
                right=split + placed.forecast_length,
                high=round(high, 3),
                low=round(high - _WINDOW_SHARE * step, 3),
            )
            places.append(place)
    return places


def window_bars(places: Sequence[Place], *, edge_width: float = 1, **more: Any) -> list[Part]:
    """Return both parts of all windows, and the edges of those that are hits."""

    def bars(
        uid: str, name: str, ends: Iterable[Bar], role: str, fill: float, width: float
    ) -> Part:
        x, y = parts.gapped(
            [(left, at.low), (right, at.low), (right, at.high), (left, at.high), (left, at.low)]
            for left, right, at in ends
            if left < right
        )
        look = {"fill": "toself", "fillcolor": parts.color(role, fill), "line": edge(role, width)}
        return parts.scatter(uid, "lines", x, y, name=name, hoverinfo="skip", **look, **more)

    contexts = ((at.left, at.split, at) for at in places)
    forecasts = ((at.split, at.right, at) for at in places)
    hits = ((at.left, at.right, at) for at in places if at.window.is_hit)
    return [
        bars("context", "context of a drawn window", contexts, CONTEXT.role, 0.25, edge_width),
        bars("forecast", "forecast of it", forecasts, FORECAST.role, 0.8, edge_width),
        bars("hits", "hit: window with such a value", hits, SECRET.role, 0, 2 * edge_width),
    ]


def told_windows(placed: Placement, places: Sequence[Place], **more: Any) -> Part:
    """Return where each window tells its numbers."""
    words = (window_words(placed, place.window) for place in places)
    look = {"color": parts.color(FORECAST.role, 0), "size": 12}
    x, y = [place.split for place in places], [place.middle for place in places]
    return parts.points("told", "", x, y, look, words, showlegend=False, **more)


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
