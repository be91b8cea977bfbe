"""The drawing of a batch: some series, one below the other, with the windows drawn from them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, ShownBatch, ShownSeries, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.wording.batch_drawing import series_label, window_words

SENSITIVE = {"light": "#c2182b", "dark": "#ff7a80"}
BATCH_PALETTE = {mode: colors | {"sensitive": SENSITIVE[mode]} for mode, colors in PALETTE.items()}
_CONTEXT, _FORECAST = "series-0", "series-2"
_POINTS = 90
_MOST_MARKS = 40
_LINE = (0.58, 0.95)  # of a row's height from its lower edge
_WINDOWS_TOP, _WINDOW_STEP, _WINDOW_HEIGHT = 0.5, 0.085, 0.07
_PADDING_SHARE = 0.15  # of the width, at most, for the zeros before the series
_WAVES = ((3.0, 0.6), (7.0, 0.3), (17.0, 0.2))


def shown_range(placed: Placement) -> list[float]:
    """Return the ends of the horizontal axis: the series, and some of the zeros before it."""
    zeros = min(placed.context_length, int(_PADDING_SHARE * placed.length))
    return [0.5 - zeros, placed.length + 0.5]


def row_traces(placed: Placement, batch: ShownBatch) -> list[dict[str, Any]]:
    """Return the same traces for each batch of a run, some of them empty.

    Lines are made up; places and lengths are exact.

    Args:
        placed: where the protected values lie in their series.
        batch: what is drawn.
    """
    rows = list(enumerate(batch.series))
    drawn = [(at, one) for at, one in rows if one.is_drawn]
    windows = [
        (_top(at, place), one, window)
        for at, one in drawn
        for place, window in enumerate(one.windows)
    ]
    return [
        _lines("drawn", "series in the batch (made up)", placed, drawn)
        | {"line": {"color": "var(--target)", "width": 2}},
        _lines("left", "series not in the batch", placed, [row for row in rows if row not in drawn])
        | {"line": {"color": "var(--target@0.55)", "width": 1, "dash": "dot"}},
        _bars(
            "context", "context of a drawn window", [_part(placed, *w, "context") for w in windows]
        )
        | {
            "fillcolor": f"var(--{_CONTEXT}@0.25)",
            "line": {"color": f"var(--{_CONTEXT})", "width": 1},
        },
        _bars("forecast", "forecast of it", [_part(placed, *w, "forecast") for w in windows])
        | {
            "fillcolor": f"var(--{_FORECAST}@0.8)",
            "line": {"color": f"var(--{_FORECAST})", "width": 1},
        },
        _bars(
            "hits",
            "window that holds a sensitive value",
            [_part(placed, *w, "whole") for w in windows if w[2].is_hit],
        )
        | {"fillcolor": "var(--sensitive@0)", "line": {"color": "var(--sensitive)", "width": 3}},
        _told(placed, windows),
        _sensitive(placed, rows),
    ]


def row_labels(batch: ShownBatch) -> dict[str, Any]:
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
    uid: str, name: str, placed: Placement, rows: Sequence[tuple[int, ShownSeries]]
) -> dict[str, Any]:
    indices = _spread(0, placed.length - 1, _POINTS)
    x: list[float | None] = []
    y: list[float | None] = []
    for at, one in rows:
        x += [int(index) + 1 for index in indices] + [None]
        y += [*_y(at, placed, one.series, indices), None]
    mode = "lines" if placed.length > 1 else "markers"
    return {"type": "scatter", "mode": mode, "uid": uid, "name": name, "hoverinfo": "skip",
            "x": x, "y": y}  # fmt: skip


def _top(row: int, place: int) -> float:
    return -row - 1 + _WINDOWS_TOP - place * _WINDOW_STEP


def _part(
    placed: Placement, top: float, one: ShownSeries, window: ShownWindow, part: str
) -> tuple[float, float, float]:
    """Return left and right end and the upper edge of a part of a window."""
    del one
    start = window.start
    first = max(start - placed.context_length + 0.5, shown_range(placed)[0])
    middle, last = start + 0.5, start + placed.forecast_length + 0.5
    ends = {"context": (first, middle), "forecast": (middle, last), "whole": (first, last)}
    return (*ends[part], top)


def _bars(uid: str, name: str, bars: Sequence[tuple[float, float, float]]) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for left, right, top in bars:
        if left < right:
            low = round(top - _WINDOW_HEIGHT, 3)
            x += [left, right, right, left, left, None]
            y += [low, low, round(top, 3), round(top, 3), low, None]
    return {"type": "scatter", "mode": "lines", "uid": uid, "name": name, "fill": "toself",
            "hoverinfo": "skip", "x": x, "y": y}  # fmt: skip


def _told(
    placed: Placement, windows: Sequence[tuple[float, ShownSeries, ShownWindow]]
) -> dict[str, Any]:
    """Return the places at which each window tells its numbers."""
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": "told",
        "showlegend": False,
        "marker": {"color": f"var(--{_FORECAST}@0)", "size": 12},
        "x": [window.start + 0.5 for _, _, window in windows],
        "y": [round(top - _WINDOW_HEIGHT / 2, 3) for top, _, _ in windows],
        "text": [window_words(placed, one, window) for _, one, window in windows],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _sensitive(placed: Placement, rows: Sequence[tuple[int, ShownSeries]]) -> dict[str, Any]:
    row = next(at for at, one in rows if one.series == SENSITIVE_SERIES)
    per_run = max(_MOST_MARKS // placed.count, 1)
    spread = [
        _spread(*placed.values(run), per_run)
        for run in _spread(0, placed.count - 1, _MOST_MARKS).astype(int).tolist()
    ]
    indices = np.concatenate(spread)
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": "sensitive",
        "name": "sensitive value",
        "marker": {"color": "var(--sensitive)", "symbol": "diamond", "size": 11},
        "x": [int(index) + 1 for index in indices],
        "y": _y(row, placed, SENSITIVE_SERIES, indices),
        "text": [f"sensitive value {int(index) + 1:,} of series 1" for index in indices],
        "hovertemplate": "%{text}<extra></extra>",
    }
