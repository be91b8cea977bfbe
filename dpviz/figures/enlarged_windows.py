"""The rows of a drawn batch of long series: where each window lies, and beside it the window."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.batch_rows import (
    Place,
    Rows,
    edge,
    protected_values,
    protected_words,
    row_labels,
    series_axis,
    series_lines,
    spread,
    told_windows,
    waves,
    window_bars,
)
from dpviz.figures.parts import FORECAST, SECRET, Part
from dpviz.planning.drawn_batches import ShownBatch
from dpviz.planning.placement import Placement
from dpviz.wording.batch_drawing import enlarged_heading, rows_heading, series_label

_SERIES, _WINDOWS = (0.0, 0.3), (0.38, 1.0)  # parts of the plot's width
_LINE = (0.2, 0.8)  # of a row's height, from its lower edge
_HEIGHT = 0.84  # of a row that its windows fill, one below the other
_WINDOW_SHARE, _THIN_SHARE = 0.85, 0.7  # of its place that a window fills
_EDGE, _THIN_EDGE = 1, 0.5  # of a window
_WAVE = (0.2, 0.8)  # of a window's height
_MOST_WITH_LINES = 2  # windows of a row; in more there is no height for a line
_LINE_POINTS, _MOST_MARKS = 40, 12  # of a window
_WAVES = ((1.3, 0.5), (4.1, 0.35), (9.7, 0.15))  # in the length of a window
_BESIDE_SERIES, _BESIDE_WINDOW = 0.04, 0.015  # of the length, free on both sides
_TICKS_APART = 0.2  # of a window's length, so that a phone has room for their numbers
_ENLARGED = {"xaxis": "x3", "yaxis": "y"}


def enlarged_windows(placed: Placement, batch: ShownBatch) -> Rows:
    """Return rows with the series on the left, and on the right its windows over one another.

    Both have an axis of their own, true to scale; a window has the same height in both.
    """
    most = max(1, *(len(one.windows) for one in batch.series))
    has_lines = most <= _MOST_WITH_LINES
    places = _places(placed, batch, _HEIGHT / most, _WINDOW_SHARE if has_lines else _THIN_SHARE)
    hits = [place for place in places if place.window.is_hit]
    lines = [_line(placed, place) for place in places if has_lines]
    held = [_held(placed, place, has_lines=has_lines) for place in hits]
    traces = [
        *series_lines(placed, batch, _LINE, 1.25),
        _marks("places", places, FORECAST.role),
        _marks("hit-places", hits, SECRET.role),
        *window_bars(places, edge_width=_EDGE if has_lines else _THIN_EDGE, **_ENLARGED),
        protected_values(placed, batch, _LINE),
        _silent("lines", "lines", *parts.gapped(lines), line=edge("target", 1.25)),
        told_windows(placed, places, **_ENLARGED),
        _protected(list(chain.from_iterable(held)), 9 if has_lines else 4),
        _missing(batch),
    ]
    axes = {
        "xaxis": _series_axis(placed),
        "xaxis3": _window_axis(placed),
        "yaxis": row_labels(0.5, [series_label(one, " +{:,}") for one in batch.series]),
    }
    headings = [(rows_heading(batch, ""), _SERIES[0]), (enlarged_heading(placed), _WINDOWS[0])]
    return Rows(traces=traces, axes=axes, headings=headings)


def _series_axis(placed: Placement) -> Part:
    beside = _BESIDE_SERIES * placed.length
    return series_axis(placed, "value of the series") | {
        "domain": list(_SERIES),
        "range": [0.5 - beside, placed.length + 0.5 + beside],
        "nticks": 3,
        "tickangle": 0,
    }


def _window_axis(placed: Placement) -> Part:
    """Return the axis of all windows, with its ends and the last value of the context."""
    length, context = placed.window_length, placed.context_length
    is_apart = min(context, placed.forecast_length) >= _TICKS_APART * length
    beside = _BESIDE_WINDOW * length
    return series_axis(placed, "value of the window, 1 for the first") | {
        "domain": list(_WINDOWS),
        "range": [0.5 - beside, length + 0.5 + beside],
        "tickvals": sorted({1, *([context] if is_apart else []), length}),
    }


def _places(placed: Placement, batch: ShownBatch, step: float, share: float) -> list[Place]:
    """Return windows of the same height in all rows, in the middle of each.

    Args:
        step: the height of a window's place in its row, of which it fills a ``share``.
    """
    half = share * step / 2
    places = []
    for row, one in enumerate(batch.series):
        top = -row - 0.5 + len(one.windows) * step / 2
        for at, window in enumerate(one.windows):
            middle = top - (at + 0.5) * step
            place = Place(
                window=window,
                left=0.5,
                split=placed.context_length + 0.5,
                right=placed.window_length + 0.5,
                high=round(middle + half, 3),
                low=round(middle - half, 3),
            )
            places.append(place)
    return places


def _marks(uid: str, places: Sequence[Place], role: str) -> Part:
    """Return an upright line at the first value of each window's forecast in its series."""
    x, y = parts.gapped(
        [(place.window.start + 1, at) for at in (place.low, place.high)] for place in places
    )
    told = "window that predicts from value %{x:,} on<extra></extra>"
    look = {"showlegend": False, "line": edge(role, 3), "hovertemplate": told}
    return parts.scatter(uid, "lines", x, y, **look)


def _silent(uid: str, mode: str, x: object, y: object, **look: Any) -> Part:
    return parts.scatter(uid, mode, x, y, showlegend=False, hoverinfo="skip", **_ENLARGED, **look)


def _heights(placed: Placement, place: Place, indices: np.ndarray) -> list[float]:
    """Return where the made-up line runs within a window, the same for windows that overlap."""
    low, high = (place.low + part * (place.high - place.low) for part in _WAVE)
    made_up = waves(indices / placed.window_length, place.window.series, _WAVES)
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
    indices = spread(first, min(last_of_run, last), _MOST_MARKS)
    heights = _heights(placed, place, indices) if has_lines else [place.middle] * len(indices)
    words = [protected_words(int(index)) for index in indices]
    return list(zip(_within(placed, place, indices), heights, words, strict=True))


def _protected(held: Sequence[tuple[int, float, str]], size: float) -> Part:
    x, y = [x for x, _, _ in held], [y for _, y, _ in held]
    look, words = parts.marker(SECRET, size), (words for _, _, words in held)
    return parts.points("held", "", x, y, look, words, showlegend=False, **_ENLARGED)


def _missing(batch: ShownBatch) -> Part:
    """Return why a row has no window."""
    rows = [(at, one) for at, one in enumerate(batch.series) if not one.windows]
    return _silent(
        "missing",
        "text",
        [0.5] * len(rows),
        [-at - 0.5 for at, _ in rows],
        text=["no window drawn" if one.is_drawn else "not in the batch" for _, one in rows],
        textposition="middle right",
        textfont={"color": parts.color("target")},
    )
