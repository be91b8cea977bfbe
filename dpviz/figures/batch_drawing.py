"""The chart of one batch after the other: what is drawn, and how often it hits so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.figures.batch_rows import BATCH_PALETTE, row_labels, row_traces, shown_range
from dpviz.figures.palette import STYLES, Style
from dpviz.figures.spec import Spec
from dpviz.planning.drawn_batches import ShownBatch
from dpviz.planning.hit_laws import HitCounts, likely_counts
from dpviz.planning.placement import Placement
from dpviz.sampling.scheme import IntArray
from dpviz.wording.batch_drawing import batch_title, counted_batches, rows_heading
from dpviz.wording.numbers import rounded

_HITS, _ROWS = (0.0, 0.24), (0.42, 1.0)  # parts of the plot's height
_MOST_COUNTS = 60  # of hits that are drawn; more would be told apart on no screen
_LOWEST = 0.4  # batches: what the logarithmic axis shows below one


@dataclass(frozen=True, kw_only=True, eq=False)
class Counted:
    """In how many of some batches there are 0, 1, 2, ... hits, shape (counts,)."""

    counts: IntArray

    @property
    def batches(self) -> int:
        """Their sum."""
        return int(self.counts.sum())


def batch_drawing(
    placed: Placement,
    batch: ShownBatch,
    so_far: Counted,
    *,
    law: HitCounts,
    whole: Counted | None,
    identity: str,
) -> Spec:
    """Return the chart of one batch.

    Args:
        placed: where the protected values lie in their series.
        batch: what is drawn.
        so_far: the hits in the batches up to this one.
        law: the weights that theory gives.
        whole: the hits in all batches that were drawn, once they are there.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    most = len(law.weights) if whole is None else max(len(law.weights), len(whole.counts))
    most = min(_seen(law, whole), most, _MOST_COUNTS)
    total = so_far.batches if whole is None else whole.batches
    return {
        "data": [
            *row_traces(placed, batch),
            _law(law, total, most, STYLES[0]),
            _shares("whole", "" if whole is None else "drawn in all", whole, STYLES[2]),
            _shares("so-far", "drawn so far", so_far, STYLES[1]),
        ],
        "layout": {
            "title": {"text": batch_title(batch, placed)},
            "template": "none",
            "meta": {"palette": BATCH_PALETTE, "legend": "under"},
            "uirevision": identity,
            "hovermode": "closest",
            "annotations": [
                _heading(rows_heading(batch), _ROWS[1]),
                _heading("How often so many windows are sensitive", _HITS[1]),
            ],
            "xaxis": {
                "title": {"text": "value of the series, 1 for the first", "standoff": 4},
                "range": shown_range(placed),
                "anchor": "y",
                "showgrid": False,
                "tickformat": ",d",
            },
            "yaxis": {"domain": list(_ROWS), **row_labels(batch)},
            "xaxis2": {
                "title": {"text": _hits_axis(law)},
                "anchor": "y2",
                "range": [-0.5, most - 0.5 if most > 1 else 1.5],
                "tickformat": "d",
                "fixedrange": True,
                **({"dtick": 1} if most <= 16 else {}),
            },
            "yaxis2": {
                "domain": list(_HITS),
                "anchor": "x2",
                "title": {"text": "share"},
                "type": "log",
                "range": [float(np.log10(_LOWEST / max(total, 1))), 0.3],
                "exponentformat": "power",
                "dtick": 1,
                "fixedrange": True,
            },
        },
    }


def frames(first: Spec, others: Sequence[tuple[Spec, str]]) -> list[dict[str, Any]]:
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


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _seen(law: HitCounts, whole: Counted | None) -> int:
    """Return up to which number of hits, exclusive, there is something to see."""
    batches = 1 if whole is None else whole.batches
    likely = np.flatnonzero(law.weights >= _LOWEST / max(batches, 1000))
    drawn = 0 if whole is None else len(whole.counts)
    return max(int(likely[-1]) + 1 if len(likely) else 1, drawn, 2)


def _hits_axis(law: HitCounts) -> str:
    return f"sensitive windows in {'the series’ step' if law.in_its_step else 'one batch'}"


def _law(law: HitCounts, batches: int, most: int, style: Style) -> dict[str, Any]:
    """Return the weights, each with the range in which 95 of 100 runs like this one would end."""
    hits = np.flatnonzero(law.weights[:most] >= _LOWEST / (100 * max(batches, 1)))
    weights = law.weights[hits]
    low, high = likely_counts(batches, weights)
    total = max(batches, 1)
    low, high = np.maximum(low, _LOWEST / 10) / total, high / total
    return _points("law", "theory, and where 95 % of runs end", style) | {
        "mode": "markers",
        "marker": {"color": f"var(--{style.role})", "symbol": "line-ew-open", "size": 22,
                   "line": {"width": 3}},
        "x": hits.tolist(),
        "y": weights.tolist(),
        "text": [
            f"theory: {counted_batches(hit)} with probability {rounded(weight, 4)}"
            for hit, weight in zip(hits.tolist(), weights.tolist(), strict=True)
        ],
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": np.maximum(high - weights, 0.0).tolist(),
            "arrayminus": np.maximum(weights - low, 0.0).tolist(),
            "color": f"var(--{style.role})",
            "thickness": 1.5,
            "width": 6,
        },
    }  # fmt: skip


def _shares(uid: str, name: str, counted: Counted | None, style: Style) -> dict[str, Any]:
    trace = _points(uid, name, style) | {"mode": "markers", "x": [], "y": [], "text": []}
    if counted is None or counted.batches == 0:
        return trace | {"showlegend": bool(name)}
    hits = np.flatnonzero(counted.counts)
    counts, total = counted.counts[hits].tolist(), counted.batches
    return trace | {
        "name": f"{name}: {total:,}",
        "x": hits.tolist(),
        "y": [count / total for count in counts],
        "text": [
            f"{name}: {count:,} of {total:,}, {counted_batches(hit)}"
            for hit, count in zip(hits.tolist(), counts, strict=True)
        ],
    }


def _points(uid: str, name: str, style: Style) -> dict[str, Any]:
    return {
        "type": "scatter",
        "uid": uid,
        "name": name,
        "xaxis": "x2",
        "yaxis": "y2",
        "showlegend": True,
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": f"var(--{style.role})", "symbol": style.symbol, "size": 11},
    }


def _heading(text: str, y: float) -> dict[str, Any]:
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": y,
        "text": text,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "align": "left",
    }
