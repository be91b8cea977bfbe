"""The chart of how many of an individual's windows fall into one batch."""

from collections.abc import Sequence

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Spec
from dpviz.planning.hit_laws import HitLaw
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.subsequences import hits_title, windows_label

# Rarer counts would only stretch the axes: they weigh less than the smallest delta told.
SMALLEST_WEIGHT = 1e-12
_MOST_TICKS = 16
# More lie too close together to be told apart, and would be sent with every move.
_MOST_POINTS = 250


def hit_weights(laws: Sequence[HitLaw]) -> Spec:
    """Return the chart of one law for each number of windows per series; see below."""
    named = [(windows_label(law.windows), law) for law in laws]
    chart = hit_counts_chart(named, title=hits_title(laws), identity="hit-weights")
    # The same words on each line of the legend would leave a phone no room for the plot.
    chart["layout"]["legend"]["title"] = {"text": "Windows per series λ", "side": "top"}
    for trace, law in zip(chart["data"], laws, strict=True):
        trace["name"] = f"{law.windows:,}"
    return chart


def hit_counts_chart(named: Sequence[tuple[str, HitLaw]], *, title: str, identity: str) -> Spec:
    """Return the chart: the probability of 0, 1, 2, ... hits, with a style for each law.

    Points, not bars, as a logarithmic axis has no zero for bars to stand on. There are at most as
    many laws as styles, which they take in order.
    """
    styles = STYLES[: len(named)]
    traces = []
    for (label, law), style in zip(named, styles, strict=True):
        shown = np.flatnonzero(law.weights >= SMALLEST_WEIGHT)
        # From the first to the last count that is shown; rarer ones between them are gaps.
        counts = np.arange(shown[0], shown[-1] + 1)
        counts = counts[:: -(-len(counts) // _MOST_POINTS)]
        weights = law.weights[counts]
        text = [
            f"{counted(hits, 'hit')}: probability {rounded(weight, 4)}"
            for hits, weight in zip(counts.tolist(), weights.tolist(), strict=True)
        ]
        chances = parts.numbers_from(SMALLEST_WEIGHT, weights)
        line = parts.line(f"{style.role}-hits", label, counts.tolist(), chances, style, 1, dots=9)
        told = {"text": text, "hovertemplate": f"%{{text}}, {label}<extra></extra>"}
        traces.append(line | told)
    most = max(trace["x"][-1] for trace in traces) - min(trace["x"][0] for trace in traces)
    place = "the step that uses the series" if named[0][1].in_its_step else "one batch"
    return parts.figure(
        traces,
        title,
        identity,
        parts.axis(
            f"hits in {place}",
            tickformat="d",
            zeroline=False,
            unifiedhovertitle={"text": "%{x} of the individual's windows"},
            **({"dtick": 1} if most <= _MOST_TICKS else {}),
        ),
        parts.log_axis("probability", dtick=2),
        hover="x unified",
        legend={"x": 0.99, "y": 0.98, "xanchor": "right", "yanchor": "top"},
        meta={},
    )
