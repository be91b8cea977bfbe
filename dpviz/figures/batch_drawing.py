"""Drawn batches: one after the other and how often they hit, a pass of a walk, a coupled pair."""

from collections.abc import Sequence

import numpy as np

from dpviz.figures import parts
from dpviz.figures.batch_rows import ROWS, enlarged_windows, named_rows, whole_rows
from dpviz.figures.parts import CONTEXT, SECRET, STYLES, Part, Spec, Style
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, EpochPartition, ShownBatch
from dpviz.planning.hit_laws import HitLaw, likely_counts
from dpviz.planning.placement import Placement
from dpviz.sampling.scheme import IntArray
from dpviz.wording.batch_drawing import (
    batch_title,
    counted_batches,
    coupled_title,
    pair_words,
    pairs_of,
    partition_title,
)
from dpviz.wording.numbers import rounded

_HITS = (0.0, 0.2)  # of the plot's height
_MOST_COUNTS = 60  # of hits that are drawn; more would be told apart on no screen
_MOST_POINTS = 1500  # of series in a pass
# By uid, in the legend of a chart that is as small as a phone's.
_SHORT_NAMES = {
    "drawn": "in the batch", "left": "not in the batch", "context": "context",
    "forecast": "forecast", "hits": "hit", "law": "theory",
}  # fmt: skip
_LOWEST = 0.4  # batches: what the logarithmic axis shows below one
# Of a batch of x above the same draw from x′.
_ABOVE, _BELOW = 1.0, 0.0
_LINK = ((0.82, 0.64), (0.36, 0.18))  # leaves room for the sign between two windows
_SIZE, _SIGN = 18, {"size": 17}


def batch_drawing(
    placed: Placement,
    batch: ShownBatch,
    so_far: IntArray,
    *,
    law: HitLaw,
    whole: IntArray | None,
    identity: str,
) -> Spec:
    """Return the chart of one batch, with how many have 0, 1, 2, ... hits so far and in all."""
    name_of_all = "" if whole is None else "drawn in all"
    whole = np.zeros(0, dtype=np.int64) if whole is None else whole
    likely = np.flatnonzero(law.weights >= _LOWEST / max(int(whole.sum()), 1000))
    seen = max(int(likely[-1]) + 1 if len(likely) else 1, len(whole), 2)
    most = min(seen, max(len(law.weights), len(whole)), _MOST_COUNTS)
    total = int(whole.sum() or so_far.sum())
    rows = (whole_rows if placed.has_readable_windows else enlarged_windows)(placed, batch)
    traces = [
        *rows.traces,
        _law(law, total, most, STYLES[0]),
        _shares("whole", name_of_all, whole, STYLES[2]),
        _shares("so-far", "drawn so far", so_far, STYLES[1]),
    ]
    return parts.figure(
        [one | {"meta": {"short": _SHORT_NAMES.get(one["uid"])}} for one in traces],
        batch_title(batch, placed),
        identity,
        **rows.axes,
        annotations=[
            *(_heading(words, at, ROWS[1]) for words, at in rows.headings),
            _heading("How often a batch has so many hits", 0, _HITS[1]),
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

    def changed(before: Part, after: Part) -> Part:
        return {name: value for name, value in after.items() if before.get(name) != value}

    return [
        {
            "data": [
                {"uid": trace["uid"]} | changed(before, trace)
                for before, trace in zip(first["data"], spec["data"], strict=True)
            ],
            "layout": changed(first["layout"], spec["layout"]),
            "alt": alt,
        }
        for spec, alt in others
    ]


def _law(law: HitLaw, batches: int, most: int, style: Style) -> Part:
    """Return the weights, each with the range in which 95 of 100 runs like this one would end."""
    hits = np.flatnonzero(law.weights[:most] >= _LOWEST / (100 * max(batches, 1)))
    weights = law.weights[hits]
    low, high = likely_counts(batches, weights)
    total = max(batches, 1)
    low, high = np.maximum(low, _LOWEST / 10) / total, high / total
    look = parts.marker(style, 22) | {"symbol": "line-ew-open", "line": {"width": 3}}
    above, below = np.maximum(high - weights, 0.0), np.maximum(weights - low, 0.0)
    bars = parts.error_bars(style, above.tolist(), below.tolist()) | {"width": 6}
    texts = [
        f"theory: {counted_batches(hit)} with probability {rounded(weight, 4)}"
        for hit, weight in zip(hits.tolist(), weights.tolist(), strict=True)
    ]
    name = "theory, and where 95 % of runs end"
    points = _points("law", name, hits.tolist(), weights.tolist(), look, texts)
    return points | {"error_y": bars}


def _shares(uid: str, name: str, counted: IntArray, style: Style) -> Part:
    total, hits = int(counted.sum()), np.flatnonzero(counted)
    counts = counted[hits].tolist()
    texts = [
        f"{name}: {count:,} of {total:,}, {counted_batches(hit)}"
        for hit, count in zip(hits.tolist(), counts, strict=True)
    ]
    shares, told = [count / total for count in counts], f"{name}: {total:,}" if total else name
    points = _points(uid, told, hits.tolist(), shares, parts.marker(style, 11), texts)
    return points | {"name": told, "showlegend": bool(name)}


def _points(
    uid: str, name: str, x: list[int], y: list[float], look: Part, texts: list[str]
) -> Part:
    below: Part = {"xaxis": "x2", "yaxis": "y2", "showlegend": True, "cliponaxis": False}
    return parts.points(uid, name, x, y, look, texts, **below)


def _heading(text: str, x: float, y: float) -> Part:
    return parts.note(text, x, y, ("left", "bottom"), xref="paper", yref="paper", align="left")


def epoch_partition_chart(partition: EpochPartition) -> Spec:
    """Return the chart of one pass over the data: which series is in which of its steps.

    Series across, steps of the epoch up; the sensitive series stands out. Of very many series
    some are drawn, evenly spread.
    """
    own = partition.series == SENSITIVE_SERIES
    others = np.flatnonzero(~own)
    others = others[:: max(1, -(-len(others) // _MOST_POINTS))]

    def points(uid: str, name: str, at: np.ndarray, look: Part) -> Part:
        x, y = (one[at] + 1 for one in (partition.series, partition.step_in_epoch))
        told = "series %{x:,} is in step %{y:,} of the epoch<extra></extra>"
        return parts.points(uid, name, x.tolist(), y.tolist(), look, hovertemplate=told)

    square = parts.marker(STYLES[0], 4) | {"symbol": "square"}
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


def coupled_batches_chart(placed: Placement, batch: ShownBatch) -> Spec:
    """Return the chart: a batch of x above, the same draw from x′ below, and what differs."""
    pairs = pairs_of(batch)
    differing = [at for at, window in enumerate(pairs) if window.is_hit]
    alike = [at for at, window in enumerate(pairs) if not window.is_hit]
    words = [pair_words(placed, window) for window in pairs]

    def windows(uid: str, name: str, at: Sequence[int], rows: Sequence[float], look: Part) -> Part:
        x, y = [one for _ in rows for one in at], [row for row in rows for _ in at]
        return parts.points(uid, name, x, y, look, (words[place] for place in x))

    square = parts.marker(CONTEXT, _SIZE) | {"symbol": "square"}
    own, other = parts.marker(SECRET, _SIZE), parts.marker(STYLES[1], _SIZE)
    return parts.figure(
        [
            _links("equal", alike, {"color": parts.color("target"), "width": 1}),
            _links("unequal", differing, {**parts.stroke(SECRET, 2), "dash": "dot"}),
            windows("alike", "the same window in both", alike, (_ABOVE, _BELOW), square),
            windows("of-x", "holds a protected value of x", differing, (_ABOVE,), own),
            windows("of-other", "holds that of x′ instead", differing, (_BELOW,), other),
        ],
        coupled_title(batch),
        "coupled batches",
        parts.axis(
            "series that the window is from",
            range=[-0.7, len(pairs) - 0.3],
            **parts.ticks(f"{window.series + 1:,}" for window in pairs),
            tickangle=0,
            showgrid=False,
            zeroline=False,
            fixedrange=True,
        ),
        named_rows([-0.45, 1.45], [_BELOW, _ABOVE], ["from x′", "from x"]),
        annotations=[
            parts.note("≠" if window.is_hit else "=", at, 0.5, ("center", "middle"), font=_SIGN)
            for at, window in enumerate(pairs)
        ],
    )


def _links(uid: str, places: Sequence[int], line: Part) -> Part:
    x, y = parts.gapped([(at, high), (at, low)] for at in places for high, low in _LINK)
    return parts.scatter(uid, "lines", x, y, line=line, hoverinfo="skip", showlegend=False)
