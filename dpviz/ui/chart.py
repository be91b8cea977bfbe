"""Draw a Plotly figure that changes in place while a slider moves.

``st.plotly_chart`` throws its chart away at each rerun: the plot goes blank and the zoom is lost.
This component keeps one chart in the page and hands it the new figure (``figures/chart.js``).

A figure names colours by role, ``var(--upper)`` or ``var(--upper@0.2)``, and what a role is by
light and by dark in its ``layout.meta.palette``: one figure serves both themes. What it leaves open
(fonts, grid, background, the legend's place) follows the theme.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.figures import parts
from dpviz.scenario.errors import MissingPackageError
from dpviz.ui.acts import take_acts_on
from dpviz.ui.compute import content
from dpviz.ui.static_files import CHART_FILE, FOLDER, PLOTLY_FILE

# Streamlit sends this with every rerun, so it only fetches the module, which browsers keep.
LOADER = f"""
const address = new URL("{FOLDER}{CHART_FILE}", document.baseURI);
async function load(address) {{
  const {{ drawChart }} = await import(address);
  if (!drawChart) throw new Error(`${{address}} is not whole`);
  return drawChart;
}}
export default async function (component) {{
  try {{
    // The browser may have kept half of a file that is whole on the server by now.
    const drawChart = await load(address).catch(() => load(`${{address}}?again`));
    return drawChart(component, "{PLOTLY_FILE}");
  }} catch (error) {{
    console.error(error);
    component.parentElement.textContent = "This chart could not be loaded. Reload the page.";
  }}
}}
"""

CHART_HEIGHT = 460


@dataclass(frozen=True, kw_only=True)
class Handle:
    """The level that a chart is about, which a visitor can drag; a slider is the other way."""

    value: float
    grid: str  # where it stops, by its name in :data:`dpviz.settings.grids.NAMED_GRIDS`
    line: str  # the trace whose place at this level is dragged, too
    on_drag: Callable[[Any], None]  # takes the text of a stop, before the next run


def draw_chart(
    figure: parts.Spec | Callable[[], parts.Spec],
    *,
    key: str,
    alt: str,
    made_of: Sequence[Any] = (),
    height: int = CHART_HEIGHT,
    file_name: str = "",
    on_click: Callable[[Mapping[str, Any]], None] | None = None,
    on_stop: Callable[[Any], None] | None = None,
    handle: Handle | None = None,
    lead: tuple[str, Sequence[int]] | None = None,
    place: tuple[int, int] | None = None,
) -> None:
    """Draw a figure, or change the chart with this key to it without redrawing the rest.

    The user's zoom and hidden legend entries survive new data for as long as the figure's
    ``layout.uirevision`` stays the same (or is left out); traces that come and go need a ``uid``
    each for that. What is called with something of the browser's has to check it like all that a
    visitor types.

    Args:
        figure: its colours by role: see the module's text. What returns it is called once for equal
            things that it is ``made_of``, which are as for :func:`dpviz.ui.compute.content`.
        key: the chart's identity in the page, stable over reruns.
        alt: what the chart shows, in words, for those who cannot see it.
        height: in CSS pixels, kept free from the first paint on.
        file_name: of the saved image, without its ending; by default by the key.
        on_click: called before the next run with the x, y and customdata of a point that was
            clicked. What a click does has to be possible without a mouse, too.
        on_stop: called with the number of the frame, from 0, at which the figure's ``frames``,
            which the browser plays by itself, were stopped or came to an end.
        handle: what can be dragged in it.
        lead: the control of a number that moves along while the frames are played, without a run of
            the page, and what it shows at each; of a chart without frames the one it is of.
        place: column and row of a map's mark, which can be dragged to another field: that is to
            click the field.
    """
    figure_json = _as_json(figure, key, made_of)
    if PLOTLY_FILE is None:
        st.error(f"This chart is not drawn on this server, as {MissingPackageError('plotly')}.")
        st.caption(alt)
        return
    told = {
        "alt": alt,
        "height": height,
        "fileName": file_name or f"dpviz-{key.replace('_', '-')}",
        "name": key,
        "reportsClicks": on_click is not None,
        "turn": _turn(key, figure_json),
        "handle": handle and {"value": handle.value, "grid": handle.grid, "line": handle.line},
        "lead": lead and {"control": lead[0], "numbers": [*lead[1]]},
        "place": place,
    }
    options = json.dumps({name: one for name, one in told.items() if one is not None})

    def clicked(point: Any) -> None:
        if on_click is not None and isinstance(point, dict):
            on_click(point)

    if on_click is not None:
        take_acts_on(f"{key}_clicked", clicked)
    if on_stop is not None:
        take_acts_on(f"{key}_stopped", on_stop)
    if handle is not None:
        take_acts_on(f"{key}_dragged", handle.on_drag)
    # Registered at each call because each test has a runtime of its own; this takes 13 us.
    chart = st.components.v2.component("dpviz_chart", js=LOADER, isolate_styles=False)
    # Bytes pass through Streamlit as they are; a string would be quoted twice and hashed.
    chart(key=key, height=height, data=f"[{options},{figure_json}]".encode())


def _as_json(
    figure: parts.Spec | Callable[[], parts.Spec], key: str, made_of: Sequence[Any]
) -> str:
    if callable(figure):
        return content(f"{key} chart", made_of, lambda: parts.figure_json(figure()))
    return parts.figure_json(figure)


def _turn(key: str, figure_json: str) -> int:
    """Return when the chart with this key was first given its figure, in microseconds.

    While a page opens, what is sent one after the other may arrive in another order. A time, not a
    count: a chart in the browser may outlive the session that counts.
    """
    last, turn = st.session_state.get(f"{key}_turn", (None, 0))
    shown = hash(figure_json)
    if shown != last:  # the same figure keeps its turn, so that nothing is sent anew
        turn = max(time.time_ns() // 1000, turn + 1)  # clocks are set back, too
        st.session_state[f"{key}_turn"] = (shown, turn)
    return int(turn)
