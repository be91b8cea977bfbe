"""Show an SVG drawing of our own in the page's colours and font."""

import streamlit as st

# st.html removes SVG, and st.image would cut it off from the page's text colour.
_SCRIPT = """
export default function ({ parentElement, data }) {
  let place = parentElement.querySelector("div");
  if (!place) {
    place = document.createElement("div");
    place.style.color = "var(--st-text-color)";
    place.style.fontFamily = "var(--st-font)";
    parentElement.append(place);
  }
  place.innerHTML = data;
}
"""


def show_drawing(svg: str, *, key: str) -> None:
    """Draw SVG markup. It becomes part of the page: never pass a visitor's words in it."""
    drawing = st.components.v2.component("dpviz_drawing", js=_SCRIPT)
    drawing(key=key, data=svg)
