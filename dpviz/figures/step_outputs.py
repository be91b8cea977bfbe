"""The chart of one noisy gradient's two output densities, with and without the change."""

from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning.step_outputs import StepOutputs, densities, outcomes_to_draw
from dpviz.wording.batch_drawing import outputs_title

_NAMES = ("P: with the sensitive values", "Q: with others in their place")
_DIGITS = 6


def step_outputs_chart(outputs: StepOutputs) -> Spec:
    """Return the chart: two densities along the worst direction, their common part shaded."""
    pair = outputs.drawn.bound.pair
    x = outcomes_to_draw(pair)
    curves = densities(pair, x)
    shown = json_numbers(_short(x))
    common: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "uid": "common",
        "name": "common part",
        "x": shown,
        "y": json_numbers(_short(np.minimum(*curves))),
        "fill": "tozeroy",
        "fillcolor": "var(--target@0.25)",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "uid": f"density-{at}",
            "name": name,
            "x": shown,
            "y": json_numbers(_short(curve)),
            "line": {"color": f"var(--{style.role})", "width": 2, "dash": style.dash},
            "hovertemplate": "output %{x:.3g} C: density %{y:.3g} / C<extra></extra>",
        }
        for at, (name, curve, style) in enumerate(zip(_NAMES, curves, STYLES, strict=False))
    ]
    return {
        "data": [common, *lines],
        "layout": {
            "title": {"text": outputs_title(outputs)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": f"outputs {shown[0]!r} {shown[-1]!r}",
            "hovermode": "closest",
            "legend": {"traceorder": "normal"},
            "xaxis": {"title": {"text": "noisy sum of gradients, in clipping norms C"}},
            "yaxis": {"title": {"text": "density"}, "rangemode": "tozero"},
        },
    }


def _short(values: np.ndarray) -> np.ndarray:
    """Return values with the digits that a screen can show."""
    digits = np.where(values == 0.0, 0, _DIGITS - np.floor(np.log10(np.abs(values) + 1e-300)))
    scale = 10.0 ** np.clip(digits, 0, 300)
    return np.asarray(np.round(values * scale) / scale)
