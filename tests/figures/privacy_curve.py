"""Charts of delta against epsilon to look at, and how their parts are found."""

import plotly.graph_objects as go

from dpviz.figures import Band, bands_chart
from dpviz.figures.palette import STYLES
from tests.planning.kinds import RUNS, curves_of_kind

SIX = ("drawn", "walked", "one step", "several windows", "Poisson windows", "shuffled")
# Those of which something is drawn.
VISIBLE = sorted(set(RUNS) - {"negligible"})


def spec_of(*names, **options):
    bands = [
        Band(curves=curves_of_kind(name), label=name, style=style)
        for name, style in zip(names, STYLES, strict=False)
    ]
    return bands_chart(bands, identity="chart", **options)


def figure_of(*names, **options):
    """Return the figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(spec_of(*names, **options))


def trace(figure, uid):
    return next(trace for trace in figure.data if trace.uid == uid)


def lines(figure):
    return [curve for curve in figure.data if not curve.uid.endswith("-target")]


def drawn(curve):
    return [(x, y) for x, y in zip(curve.x, curve.y, strict=True) if y is not None]


def annotations(figure):
    return [annotation.text for annotation in figure.layout.annotations]
