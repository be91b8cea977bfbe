"""The chart of a released series: the original, one release of it, and their difference."""

from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec, json_numbers

_ABOVE, _BELOW = (0.36, 1.0), (0.0, 0.26)
# More points than a wide screen has columns would only make the page heavy.
MOST_POINTS = 1500
_MOST_MARKED = 150


def released_series_chart(
    truth: FloatArray, released: FloatArray, kept: np.ndarray, *, title: str, identity: str
) -> Spec:
    """Return the chart.

    Args:
        truth: what the release is compared with, of shape (length,), in counts.
        released: likewise.
        kept: steps that were kept, from 0; marked where they are few.
        title: the finding.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    difference = released - truth
    data = [
        _line("truth", "original", truth, STYLES[0], 2.0, "y"),
        _line("released", "one release", released, STYLES[1], 1.8, "y"),
        _line("difference", "release minus original", difference, STYLES[2], 1.0, "y2"),
    ]
    if 0 < len(kept) <= _MOST_MARKED:
        data.insert(2, _markers(kept, released))
    return {
        "data": data,
        "layout": {
            "title": {"text": title},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": identity,
            "hovermode": "closest",
            "xaxis": {"title": {"text": "time step"}, "tickformat": ",d", "anchor": "y2"},
            "yaxis": {"title": {"text": "counts"}, "tickformat": ",", "domain": list(_ABOVE)},
            "yaxis2": {
                "title": {"text": "difference"},
                "tickformat": ",",
                "domain": list(_BELOW),
            },
        },
    }


def is_drawn_thin(length: int) -> bool:
    """Return whether a series of so many steps is drawn by the ends of stretches only."""
    return length > MOST_POINTS


def ends_of_stretches(values: FloatArray) -> np.ndarray:
    """Return the steps that are drawn: all, or the lowest and highest of each stretch.

    >>> len(ends_of_stretches(np.arange(10_000.0))) <= MOST_POINTS + 2
    True
    """
    if not is_drawn_thin(len(values)):
        return np.arange(len(values))
    found = {0, len(values) - 1}
    for stretch in np.array_split(np.arange(len(values)), MOST_POINTS // 2):
        found.add(int(stretch[values[stretch].argmin()]))
        found.add(int(stretch[values[stretch].argmax()]))
    return np.array(sorted(found))


def _line(
    uid: str, name: str, values: FloatArray, style: Style, width: float, axis: str
) -> dict[str, Any]:
    steps = ends_of_stretches(values)
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": uid,
        "name": name,
        "x": (steps + 1).tolist(),
        "y": json_numbers(np.round(values[steps], 3)),
        "yaxis": axis,
        "line": {
            "color": f"var(--{style.role})",
            "width": width,
            # Dashes would be lost in a line that goes up and down at every step.
            "dash": "solid" if uid != "released" else "dot",
        },
        "hovertemplate": f"{name}, step %{{x:,}}: %{{y:.4g}}<extra></extra>",
    }


def _markers(kept: np.ndarray, released: FloatArray) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": "kept",
        "name": "kept steps",
        "x": (kept + 1).tolist(),
        "y": json_numbers(np.round(released[kept], 3)),
        "marker": {"color": f"var(--{STYLES[1].role})", "symbol": STYLES[1].symbol, "size": 6},
        "hovertemplate": "kept step %{x:,}: %{y:.4g}<extra></extra>",
    }
