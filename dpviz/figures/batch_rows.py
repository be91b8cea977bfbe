"""The drawing of a batch: some series, one below the other, with the windows drawn from them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import CONTEXT, FORECAST, SECRET, Part
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, ShownBatch, ShownSeries, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.wording.batch_drawing import series_label, window_words

_POINTS = 70
_MOST_MARKS = 40
_LINE = (0.58, 0.95)  # of a row's height from its lower edge
# Windows lie one below the other: as many as the longest row has, or two.
_WINDOWS_TOP, _WINDOWS_HEIGHT, _LEAST_WINDOWS = 0.52, 0.48, 2
_WINDOW_SHARE = 0.8  # of its place that a window fills
_PADDING_SHARE = 0.15  # of the width, at most, for the zeros before the series
_WAVES = ((3.0, 0.6), (7.0, 0.3), (17.0, 0.2))


def shown_range(placed: Placement) -> list[float]:
    """Return the ends of the horizontal axis: the series, and some of the zeros before it."""
    zeros = min(placed.context_length, int(_PADDING_SHARE * placed.length))
    return [0.5 - zeros, placed.length + 0.5]


def row_traces(placed: Placement, batch: ShownBatch) -> list[Part]:
    """Return the same traces for each batch of a run, some of them empty.

    Lines are made up; places and lengths are exact.
    """
    rows = list(enumerate(batch.series))
    drawn = [(at, one) for at, one in rows if one.is_drawn]
    left = [(at, one) for at, one in rows if not one.is_drawn]
    places = _places(batch)
    edge = shown_range(placed)[0]
    context, forecast, hits = [], [], []
    for place in places:
        start = place.window.start + 0.5
        first, last = max(start - placed.context_length, edge), start + placed.forecast_length
        context.append((first, start, place))
        forecast.append((start, last, place))
        hits += [(first, last, place)] if place.window.is_hit else []
    return [
        _lines("drawn", "series in the batch (made up)", placed, drawn, _edge("target", 2)),
        _lines(
            "left",
            "series not in the batch",
            placed,
            left,
            {"color": parts.color("target", 0.7), "width": 1, "dash": "dot"},
        ),
        _bars("context", "context of a drawn window", context, CONTEXT.role, 0.25, 1),
        _bars("forecast", "forecast of it", forecast, FORECAST.role, 0.8, 1),
        _bars("hits", "hit: window with such a value", hits, SECRET.role, 0, 2),
        _told(placed, places),
        _sensitive(placed, rows),
    ]


def _edge(role: str, width: float) -> Part:
    return {"color": parts.color(role), "width": width}


def row_labels(batch: ShownBatch) -> Part:
    """Return the vertical axis of the rows."""
    return {
        "range": [-len(batch.series), 0.05],
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "tickvals": [-at - 0.4 for at in range(len(batch.series))],
        "ticktext": [series_label(one) for one in batch.series],
    }


def _heights(indices: np.ndarray, placed: Placement, series: int) -> np.ndarray:
    """Return made-up values between 0 and 1, other ones for each series."""
    turn = 2.0 * np.pi * indices / max(placed.length, 2)
    waves = sum(
        height * np.sin(count * turn + (at + 1) * (series % 1000) * 1.7)
        for at, (count, height) in enumerate(_WAVES)
    )
    reach = sum(height for _, height in _WAVES)
    return np.asarray(0.5 + waves / (2.0 * reach))


def _y(at: int, placed: Placement, series: int, indices: np.ndarray) -> list[float]:
    low, high = _LINE
    heights = -at - 1 + low + (high - low) * _heights(indices, placed, series)
    return [round(float(height), 3) for height in heights]


def _spread(first: int, last: int, most: int) -> np.ndarray:
    return np.unique(np.linspace(first, last, min(last - first + 1, most)).round())


def _lines(
    uid: str, name: str, placed: Placement, rows: Sequence[tuple[int, ShownSeries]], line: Part
) -> Part:
    indices = _spread(0, placed.length - 1, _POINTS)
    x: list[float | None] = []
    y: list[float | None] = []
    for at, one in rows:
        x += [int(index) + 1 for index in indices] + [None]
        y += [*_y(at, placed, one.series, indices), None]
    mode = "lines" if placed.length > 1 else "markers"
    return parts.scatter(uid, mode, x, y, name=name, hoverinfo="skip", line=line)


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where a window is drawn: upper and lower edge."""

    one: ShownSeries
    window: ShownWindow
    high: float
    low: float


def _places(batch: ShownBatch) -> list[_Place]:
    most = max(len(one.windows) for one in batch.series)
    step = _WINDOWS_HEIGHT / max(most, _LEAST_WINDOWS)
    places = []
    for row, one in enumerate(batch.series):
        for at, window in enumerate(one.windows):
            high = _WINDOWS_TOP - row - 1 - at * step
            low = high - _WINDOW_SHARE * step
            places.append(_Place(one=one, window=window, high=round(high, 3), low=round(low, 3)))
    return places


def _bars(
    uid: str,
    name: str,
    bars: Sequence[tuple[float, float, _Place]],
    role: str,
    density: float,
    width: float,
) -> Part:
    x: list[float | None] = []
    y: list[float | None] = []
    for left, right, place in bars:
        if left < right:
            x += [left, right, right, left, left, None]
            y += [place.low, place.low, place.high, place.high, place.low, None]
    return parts.scatter(
        uid,
        "lines",
        x,
        y,
        name=name,
        fill="toself",
        fillcolor=parts.color(role, density),
        hoverinfo="skip",
        line=_edge(role, width),
    )


def _told(placed: Placement, places: Sequence[_Place]) -> Part:
    """Return the points at which each window tells its numbers."""
    return parts.scatter(
        "told",
        "markers",
        [place.window.start + 0.5 for place in places],
        [round((place.low + place.high) / 2, 3) for place in places],
        showlegend=False,
        marker={"color": parts.color(FORECAST.role, 0), "size": 12},
        **parts.told(window_words(placed, place.one, place.window) for place in places),
    )


def _sensitive(placed: Placement, rows: Sequence[tuple[int, ShownSeries]]) -> Part:
    row = next(at for at, one in rows if one.series == SENSITIVE_SERIES)
    per_run = max(_MOST_MARKS // placed.count, 1)
    spread = [
        _spread(*placed.values(run), per_run)
        for run in _spread(0, placed.count - 1, _MOST_MARKS).astype(int).tolist()
    ]
    indices = np.concatenate(spread)
    return parts.scatter(
        "sensitive",
        "markers",
        [int(index) + 1 for index in indices],
        _y(row, placed, SENSITIVE_SERIES, indices),
        name="protected value",
        marker=parts.marker(SECRET, 11),
        **parts.told(f"protected value {int(index) + 1:,} of series 1" for index in indices),
    )
