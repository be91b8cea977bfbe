"""One batch after the other: the windows drawn from some series, and how often they hit so far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import CONTEXT, FORECAST, SECRET, STYLES, Part, Spec, Style
from dpviz.planning.drawn_batches import (
    SENSITIVE_SERIES,
    EpochPartition,
    ShownBatch,
    ShownSeries,
    ShownWindow,
)
from dpviz.planning.hit_laws import HitCounts, likely_counts
from dpviz.planning.placement import Placement
from dpviz.sampling.scheme import IntArray
from dpviz.wording.batch_drawing import (
    batch_title,
    counted_batches,
    partition_title,
    rows_heading,
    series_label,
    window_words,
)
from dpviz.wording.numbers import rounded

_HITS, _ROWS = (0.0, 0.2), (0.47, 1.0)  # parts of the plot's height
_MOST_COUNTS = 60  # of hits that are drawn; more would be told apart on no screen
_MOST_POINTS = 1500  # of series in a pass
# By uid, in the legend of a chart that is as small as a phone's.
_SHORT_NAMES = {
    "drawn": "in the batch", "left": "not in the batch", "context": "context",
    "forecast": "forecast", "hits": "hit", "law": "theory",
}  # fmt: skip
_LOWEST = 0.4  # batches: what the logarithmic axis shows below one


def batch_drawing(
    placed: Placement,
    batch: ShownBatch,
    so_far: IntArray,
    *,
    law: HitCounts,
    whole: IntArray | None,
    identity: str,
) -> Spec:
    """Return the chart of one batch.

    ``so_far`` and ``whole`` are in how many batches there are 0, 1, 2, ... hits.
    """
    most = len(law.weights) if whole is None else max(len(law.weights), len(whole))
    most = min(_seen(law, whole), most, _MOST_COUNTS)
    total = int((so_far if whole is None else whole).sum())
    traces = [
        *_row_traces(placed, batch),
        _law(law, total, most, STYLES[0]),
        _shares("whole", "" if whole is None else "drawn in all", whole, STYLES[2]),
        _shares("so-far", "drawn so far", so_far, STYLES[1]),
    ]
    return parts.figure(
        [one | {"meta": {"short": _SHORT_NAMES.get(one["uid"])}} for one in traces],
        batch_title(batch, placed),
        identity,
        {
            "title": {"text": "value of the series, 1 for the first", "standoff": 4},
            "range": _shown_range(placed),
            "anchor": "y",
            "showgrid": False,
            "tickformat": ",d",
        },
        {"domain": list(_ROWS), **_row_labels(batch)},
        annotations=[
            _heading(rows_heading(batch), _ROWS[1]),
            _heading("How often a batch has so many hits", _HITS[1]),
        ],
        xaxis2=parts.axis(
            f"hits in {'the series’ step' if law.in_its_step else 'one batch'}",
            anchor="y2",
            range=[-0.5, most - 0.5 if most > 1 else 1.5],
            tickformat="d",
            fixedrange=True,
            **({"dtick": 1} if most <= 16 else {}),
        ),
        yaxis2=parts.log_axis(
            "share",
            domain=list(_HITS),
            anchor="x2",
            range=[float(np.log10(_LOWEST / max(total, 1))), 0.3],
            dtick=2,
            fixedrange=True,
        ),
    )


def frames(first: Spec, others: Sequence[tuple[Spec, str]]) -> list[Part]:
    """Return what changes from the first chart to each other one, with that one's words.

    A frame's traces are laid over those of the same ``uid``, its layout over the chart's.

    >>> first = {"data": [{"uid": "a", "x": [1], "y": [2]}], "layout": {"title": "1", "b": 3}}
    >>> other = {"data": [{"uid": "a", "x": [1], "y": [4]}], "layout": {"title": "2", "b": 3}}
    >>> frames(first, [(other, "two")])
    [{'data': [{'uid': 'a', 'y': [4]}], 'layout': {'title': '2'}, 'alt': 'two'}]
    """
    return [
        {
            "data": [
                {"uid": trace["uid"]} | _changed(before, trace)
                for before, trace in zip(first["data"], spec["data"], strict=True)
            ],
            "layout": _changed(first["layout"], spec["layout"]),
            "alt": alt,
        }
        for spec, alt in others
    ]


def _changed(before: Part, after: Part) -> Part:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _seen(law: HitCounts, whole: IntArray | None) -> int:
    """Return up to which number of hits, exclusive, there is something to see."""
    batches = 1 if whole is None else int(whole.sum())
    likely = np.flatnonzero(law.weights >= _LOWEST / max(batches, 1000))
    drawn = 0 if whole is None else len(whole)
    return max(int(likely[-1]) + 1 if len(likely) else 1, drawn, 2)


def _law(law: HitCounts, batches: int, most: int, style: Style) -> Part:
    """Return the weights, each with the range in which 95 of 100 runs like this one would end."""
    hits = np.flatnonzero(law.weights[:most] >= _LOWEST / (100 * max(batches, 1)))
    weights = law.weights[hits]
    low, high = likely_counts(batches, weights)
    total = max(batches, 1)
    low, high = np.maximum(low, _LOWEST / 10) / total, high / total
    look = {"color": parts.color(style.role), "symbol": "line-ew-open", "size": 22}
    above, below = np.maximum(high - weights, 0.0), np.maximum(weights - low, 0.0)
    bars = parts.error_bars(style, above.tolist(), below.tolist()) | {"width": 6}
    texts = [
        f"theory: {counted_batches(hit)} with probability {rounded(weight, 4)}"
        for hit, weight in zip(hits.tolist(), weights.tolist(), strict=True)
    ]
    points = _points("law", hits.tolist(), weights.tolist(), texts)
    return points | {
        "name": "theory, and where 95 % of runs end",
        "marker": look | {"line": {"width": 3}},
        "error_y": bars,
    }


def _shares(uid: str, name: str, counted: IntArray | None, style: Style) -> Part:
    look = {"marker": parts.marker(style, 11)}
    total = 0 if counted is None else int(counted.sum())
    if counted is None or total == 0:
        return _points(uid, [], [], []) | look | {"name": name, "showlegend": bool(name)}
    hits = np.flatnonzero(counted)
    counts = counted[hits].tolist()
    shares = [count / total for count in counts]
    texts = [
        f"{name}: {count:,} of {total:,}, {counted_batches(hit)}"
        for hit, count in zip(hits.tolist(), counts, strict=True)
    ]
    return _points(uid, hits.tolist(), shares, texts) | look | {"name": f"{name}: {total:,}"}


def _points(uid: str, x: list[int], y: list[float], texts: list[str]) -> Part:
    below = {"xaxis": "x2", "yaxis": "y2", "showlegend": True, "cliponaxis": False}
    return parts.scatter(uid, "markers", x, y, **below, **parts.told(texts))


def _heading(text: str, y: float) -> Part:
    return parts.note(text, 0, y, ("left", "bottom"), xref="paper", yref="paper", align="left")


def epoch_partition_chart(partition: EpochPartition) -> Spec:
    """Return the chart of one pass over the data: which series is in which of its steps.

    Series across, steps of the epoch up; the sensitive series stands out. Of very many series
    some are drawn, evenly spread.
    """
    own = partition.series == SENSITIVE_SERIES
    others = np.flatnonzero(~own)
    others = others[:: max(1, -(-len(others) // _MOST_POINTS))]

    def points(uid: str, name: str, at: np.ndarray, look: Part) -> Part:
        return parts.points(
            uid,
            name,
            (partition.series[at] + 1).tolist(),
            (partition.step_in_epoch[at] + 1).tolist(),
            look,
            hovertemplate="series %{x:,} is in step %{y:,} of the epoch<extra></extra>",
        )

    square = {"color": "var(--series-0)", "symbol": "square", "size": 4}
    dot = parts.marker(SECRET, 12)
    return parts.figure(
        [
            points("others", "other series", others, square),
            points("own", "series with a protected value", own, dot),
        ],
        partition_title(partition),
        f"partition {partition.num_series} {partition.steps}",
        parts.axis(
            "series",
            range=[0.5 - 0.02 * partition.num_series, 1.02 * partition.num_series + 0.5],
            tickformat=",d",
            showgrid=False,
        ),
        parts.axis("step of the epoch", range=[partition.drawn_steps + 0.8, 0.2], tickformat=",d"),
        showlegend=True,
    )


_POINTS = 70
_MOST_MARKS = 40
_LINE = (0.58, 0.95)  # of a row's height from its lower edge
# Windows lie one below the other: as many as the longest row has, or two.
_WINDOWS_TOP, _WINDOWS_HEIGHT, _LEAST_WINDOWS = 0.52, 0.48, 2
_WINDOW_SHARE = 0.8  # of its place that a window fills
_PADDING_SHARE = 0.15  # of the width, at most, for the zeros before the series
_WAVES = ((3.0, 0.6), (7.0, 0.3), (17.0, 0.2))


def _shown_range(placed: Placement) -> list[float]:
    """Return the ends of the horizontal axis: the series, and some of the zeros before it."""
    zeros = min(placed.context_length, int(_PADDING_SHARE * placed.length))
    return [0.5 - zeros, placed.length + 0.5]


def _row_traces(placed: Placement, batch: ShownBatch) -> list[Part]:
    """Return the same traces for each batch of a run, some of them empty.

    Lines are made up; places and lengths are exact.
    """
    rows = list(enumerate(batch.series))
    drawn = [(at, one) for at, one in rows if one.is_drawn]
    left = [(at, one) for at, one in rows if not one.is_drawn]
    places = _places(batch)
    edge = _shown_range(placed)[0]
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
        parts.scatter(
            "told",  # where each window tells its numbers
            "markers",
            [place.window.start + 0.5 for place in places],
            [round((place.low + place.high) / 2, 3) for place in places],
            showlegend=False,
            marker={"color": parts.color(FORECAST.role, 0), "size": 12},
            **parts.told(window_words(placed, place.one, place.window) for place in places),
        ),
        _sensitive(placed, rows),
    ]


def _edge(role: str, width: float) -> Part:
    return {"color": parts.color(role), "width": width}


def _row_labels(batch: ShownBatch) -> Part:
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
    across = [int(index) + 1 for index in indices]
    x, y = parts.gapped(
        list(zip(across, _y(at, placed, one.series, indices), strict=True)) for at, one in rows
    )
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
        line=_edge(role, width),
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
        cliponaxis=False,  # the first value lies on the plot's edge
        **parts.told(f"protected value {int(index) + 1:,} of series 1" for index in indices),
    )
