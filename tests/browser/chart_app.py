"""A page with one slider and two charts, for the browser tests of the chart component."""

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from dpviz.ui.acts import answering_acts
from dpviz.ui.chart import draw_chart
from dpviz.ui.number_control import draw_number

TITLE = "More noise buys privacy, and each doubling buys less than the one before"
PALETTE = {
    "light": {"upper": "#0b6075", "lower": "#a8480f"},
    "dark": {"upper": "#6fc6d8", "lower": "#f0a46b"},
}


@st.cache_data(max_entries=64)
def figure_json(noise: int) -> str:
    """Return a figure of two curves, about 30 KB."""
    epsilon = np.linspace(0, 8, 900)
    upper = np.exp(-epsilon * noise / 10)
    figure = go.Figure(
        [
            go.Scatter(x=epsilon, y=upper, name="upper bound", line_color="var(--upper)"),
            go.Scatter(
                x=epsilon,
                y=0.6 * upper,
                name="lower bound",
                line={"color": "var(--lower)", "dash": "dash"},
                fill="tozeroy",
                fillcolor="var(--lower@0.15)",
            ),
        ],
        layout={
            "template": "none",
            "title": {"text": TITLE},
            "xaxis": {"title": {"text": "ε: how far one person can shift the odds"}},
            "yaxis": {"title": {"text": "δ"}, "type": "log", "exponentformat": "power"},
            "meta": {"palette": PALETTE},
            "hovermode": "x unified",
        },
    )
    figure.add_hline(y=0.01, line={"color": "var(--upper@0.6)", "dash": "dot"})
    figure.add_annotation(
        x=7, y=-2, text="δ = 0.01", font={"color": "var(--upper)"}, showarrow=False, yshift=10
    )
    return figure.to_json()


def keep(number: Callable[[], float]) -> None:
    """Take the noise that the visitor has chosen."""
    st.session_state.noise_shown = number()


def main() -> None:
    """Draw the page."""
    st.set_page_config(page_title="Chart", layout="wide")
    st.title("A chart that changes in place")
    noise = st.session_state.setdefault("noise_shown", 10)
    draw_number(
        "noise", "Noise", noise, (1, 50), keep, grid=range(1, 51), ends=("private", "accurate")
    )
    alt = f"δ against ε with noise {noise}"
    draw_chart(
        figure_json(noise),
        key="curve",
        alt=alt,
        file_name="noise",
        on_click=lambda point: st.session_state.update(point=point),
    )
    if "point" in st.session_state:
        st.caption(f"Clicked at ε = {st.session_state.point['x']:.3f}.")
    st.button("A primary button", type="primary")
    st.caption(f"The noise is {noise}.")


if __name__ == "__main__":
    with answering_acts("page"):
        main()
