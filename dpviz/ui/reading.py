"""What a page of explanations needs: lines that can be read, and links that hit their section."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

_LINE_WIDTH = 840
# Streamlit goes to the section that the address names as soon as its heading is there. What stands
# above it, formulas in particular, grows after that and pushes it out of sight. Another text on the
# same page would be begun where the last one was left.
_SCRIPT = """
const SETTLED_AFTER_MS = 4000;
const PAUSE_MS = 100;

export default function ({ parentElement, data }) {
  const { text } = parentElement;
  parentElement.text = data.text;
  if (text !== undefined && text !== data.text) {
    document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
  }
  const name = decodeURIComponent(location.hash.slice(1));
  if (!name || parentElement.followed === name) return;
  parentElement.followed = name;
  const stop = new AbortController();
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown", "hashchange"]) {
    window.addEventListener(kind, () => stop.abort(), { signal: stop.signal, passive: true });
  }
  const end = performance.now() + SETTLED_AFTER_MS;
  const follow = () => {
    if (stop.signal.aborted) return;
    document.getElementById(name)?.scrollIntoView();
    if (performance.now() < end) setTimeout(follow, PAUSE_MS);
    else stop.abort();
  };
  follow();
}
"""


@contextmanager
def reading_column(text: str = "") -> Iterator[None]:
    """Draw a page of texts; the section that the address names ends up at the top.

    Args:
        text: which one, on a page of several: another one is shown from its beginning.
    """
    with st.container(width=_LINE_WIDTH):
        yield
    st.components.v2.component("dpviz_linked_section", js=_SCRIPT)(
        key="linked_section", data={"text": text}
    )
