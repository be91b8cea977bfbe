"""Delta against epsilon as pages draw it: runs, what is pinned beside them, and the level."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st

from dpviz.export.curve_tables import curves_table
from dpviz.export.table import Table
from dpviz.figures import Band, bands_chart
from dpviz.figures.parts import Style
from dpviz.planning.order import Stretch
from dpviz.scenario import Scenario
from dpviz.ui import frame
from dpviz.ui.compute import exact_curves
from dpviz.ui.controls import delta_handle
from dpviz.ui.pins import named_curves, pinned_bands
from dpviz.ui.state import State
from dpviz.wording.findings import curves_description

_REACHED = "dpviz_reached"


def draw_bands(
    bands: Sequence[Band],
    *,
    key: str,
    headline: str,
    title: str,
    caption: str,
    beside: State | None = None,
    warns: bool = False,
    finding: str = "",
    shaded: Callable[[], Sequence[tuple[Stretch, str]]] = tuple,
    legend_title: str = "",
    is_close: bool = False,
    told: Sequence[Any] = (),
    undescribed: Sequence[Band] = (),
    awaited: Sequence[tuple[str, Style]] = (),
    identity: str = "",
) -> None:
    """Draw headline and chart of runs at one delta, which can be dragged, the first in front.

    ``title`` says what the chart shows to who cannot see it; the runs' numbers follow. Those that
    are ``undescribed`` it tells itself. The pins of ``beside`` are drawn, too; ``awaited`` are
    names and styles of runs whose curves are still to come. ``warns`` where an epsilon may be
    hardly any protection. ``shaded`` returns what is marked, and what it is. With ``is_close`` the
    axis shows little more than what is drawn. ``told`` is what the chart is made of besides the
    curves and their names; a zoom lasts as long as ``identity``, or else ``key``.
    """
    own = bands[0].curves
    pins = [] if beside is None else pinned_bands(beside)
    drawn = [*bands, *undescribed, *pins]
    reach = _reach(key, bands, is_whole=not awaited)
    frame.draw_answer(
        headline=headline,
        curves=own if warns else None,
        figure=lambda: bands_chart(
            drawn,
            identity=identity or key.replace("_", "-"),
            awaited=awaited,
            shaded=shaded(),
            legend_title=legend_title,
            is_close=is_close,
            reach=reach,
        ),
        made_of=["bands", *named_curves(drawn), *awaited, reach, *told],
        alt=curves_description(title, named_curves([*bands, *pins])),
        key=key,
        finding=finding,
        caption=caption,
        handle=delta_handle(own.scenario.delta),
    )


def _reach(key: str, bands: Sequence[Band], *, is_whole: bool) -> float:
    """Return the epsilon that the chart's last whole answer reached, while this one is not whole.

    So a move of a slider does not change the axis twice.
    """
    reached: dict[str, float] = st.session_state.setdefault(_REACHED, {})
    if is_whole:
        reached[key] = max(band.curves.epsilon_upper or 0.0 for band in bands)
        return 0.0
    return reached.get(key, 0.0)


def exact_table(runs: Iterable[tuple[str, Scenario]]) -> Table:
    """Return the numbers of that chart, by the runs' names, however long they take."""
    return curves_table([(name, exact_curves(run)) for name, run in runs])
