"""Draw a Plotly figure that changes in place while a slider moves.

``st.plotly_chart`` throws its chart away at each rerun: the plot goes blank and the zoom is lost.
This component keeps one chart in the page and hands it the new figure (``figures/chart.js``).

A figure names colours by role, so that one figure serves the light and the dark theme::

    {
        "data": [{"y": y, "line": {"color": "var(--upper)"}, "fillcolor": "var(--upper@0.2)"}],
        "layout": {
            "template": "none",
            "meta": {"palette": {"light": {"upper": "#0b6477"}, "dark": {"upper": "#5cc3d6"}}},
        },
    }

Whatever a figure leaves open (fonts, grid, background, the legend's place) follows
the theme; its ``layout.template`` is replaced.
"""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.figures import parts
from dpviz.scenario.errors import MissingPackageError
from dpviz.ui.acts import take_acts_on
from dpviz.ui.compute import content
from dpviz.ui.static_files import CHART_FILE, PLOTLY_FILE, ensure_browser_files

# Streamlit sends this with every rerun, so it only fetches the module, which browsers keep.
LOADER = f"""
const address = new URL("app/static/{CHART_FILE}", document.baseURI);
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
    """The level that a chart is about, which a visitor can drag; a slider is the other way.

    Args:
        grid: where it stops, by its name in :data:`dpviz.settings.grids.NAMED_GRIDS`.
        line: the trace whose place at this level is dragged, too.
        on_drag: called before the next run with the text of a stop. It comes from the browser: to
            be checked like all that a visitor types.
    """

    value: float
    grid: str
    line: str
    on_drag: Callable[[Any], None]


# The same pattern as in chart.js.
ROLE = re.compile(r"(?:role:|var\(--)([\w-]+)(?:@([\d.]+))?\)?")


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
    each for that.

    Args:
        figure: Colours by role: see the module's text. What returns it is called once for equal
            things that it is ``made_of``, which are as for :func:`dpviz.ui.compute.content`.
        key: The chart's identity in the page, stable over reruns.
        alt: What the chart shows, in words, for those who cannot see it.
        height: Height in CSS pixels, kept free from the first paint on.
        file_name: Name of the saved image, without its ending; by default by the key.
        on_click: Called before the next run with the x, y and customdata of a point that was
            clicked. They come from the browser: to be checked like all that a visitor types. What
            a click does has to be possible without a mouse, too.
        on_stop: A figure may have ``frames``, which the browser then plays without asking the
            server (who wants little motion sees the last one at once); called with the number of
            the frame, from 0, at which they were stopped or came to an end. It comes from the
            browser, too.
        handle: what can be dragged in it.
        lead: the control of a number that moves along while the frames are played, without a run of
            the page, and what it shows at each; of a chart without frames the one it is of.
        place: column and row of a map's mark, which can be dragged to another field. To let go of
            it there is to click that field.
    """
    figure_json = _as_json(figure, key, made_of)
    if not ensure_browser_files():
        _draw_from_scratch(figure_json, key=key, alt=alt, height=height)
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

    While a page opens, what is sent one after the other may arrive in another order; the same
    figure keeps its turn, so that nothing is sent anew. A time, not a count: a chart in the
    browser may outlive the session that counts.
    """
    last, turn = st.session_state.get(f"{key}_turn", (None, 0))
    shown = hash(figure_json)
    if shown != last:
        turn = max(time.time_ns() // 1000, turn + 1)  # clocks are set back, too
        st.session_state[f"{key}_turn"] = (shown, turn)
    return int(turn)


def _draw_from_scratch(figure_json: str, *, key: str, alt: str, height: int) -> None:
    """Draw with Streamlit's own chart where no file can be served beside the app."""
    figure = json.loads(figure_json)
    palettes = (figure["layout"].get("meta") or {}).get("palette") or {}
    palette = palettes.get(st.context.theme.type or "light", {})
    figure = _with_palette(figure, palette)
    figure["layout"] = {**figure["layout"], "height": height}
    try:
        st.plotly_chart(figure, key=key, config={"displaylogo": False, "showSendToCloud": False})
    except ModuleNotFoundError:
        st.error(f"This chart is not drawn on this server, as {MissingPackageError('plotly')}.")
    st.caption(alt)


def _with_palette(value: Any, palette: dict[str, str]) -> Any:
    """Return a figure with its colour roles replaced by the colours of one palette.

    >>> _with_palette({"color": ["role:upper", "var(--upper@0.5)"]}, {"upper": "#0b6477"})
    {'color': ['#0b6477', 'rgba(11,100,119,0.5)']}
    """
    if isinstance(value, dict):
        return {name: _with_palette(item, palette) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_palette(item, palette) for item in value]
    role = ROLE.fullmatch(value) if isinstance(value, str) else None
    if role is None:
        return value
    name, alpha = role.groups()
    color = palette.get(name, "#808080")  # an unknown role stays visible in either theme
    if alpha is None:
        return color
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha})"
