"""What has just been taken back: shown for a while in a corner, and read out."""

import streamlit as st

from dpviz.ui.state import State
from dpviz.ui.texts import plain

# Streamlit's own notice is no live region. This one is the document's, so that it stays when a run
# that only fills the page in takes the component away; it has to be there before it has words.
_SCRIPT = """
const EMPTY_MILLISECONDS = 100;
const GREYED_MILLISECONDS = 200;

export default function ({ data }) {
  let said = document.querySelector("#dpviz-undone");
  if (!said) {
    said = document.createElement("span");
    said.id = "dpviz-undone";
    said.setAttribute("role", "status");
    said.style.cssText = "position: absolute; width: 1px; height: 1px; clip-path: inset(50%)";
    document.body.append(said);
  }
  said.textContent = "";
  setTimeout(() => said.replaceChildren(data.said), EMPTY_MILLISECONDS);
  setTimeout(keepFocus, GREYED_MILLISECONDS);
}

// A button that has nothing more to take back is greyed out, and its focus falls to the page.
function keepFocus() {
  const { activeElement, body } = document;
  if (activeElement !== body && !activeElement?.disabled) return;
  const ways = ".st-key-undo button:enabled, .st-key-redo button:enabled";
  document.querySelector(ways)?.focus({ preventScroll: true });
}
"""


def tell_undone(state: State) -> None:
    """Say once what was taken back or done again, if anything."""
    said, state.undone = state.undone, ""
    if not said:
        return
    st.toast(plain(said), icon=":material/check:", duration="long")
    st.components.v2.component("dpviz_undone", js=_SCRIPT)(
        key="undone", data={"said": said}, width="content"
    )
