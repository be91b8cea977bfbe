"""A button that copies the link to the current state."""

import streamlit as st

# Clipboard access needs https or localhost: elsewhere the link is shown, selected, to copy by hand.
_SCRIPT = """
// What was predicted and looked up in lessons would give the truth away to who opens the link. The
// address bar keeps it. All else stays, letter by letter.
const OWN = /^(answers|revealed)=/;

function linkForOthers() {
  const [place, query = ""] = location.href.split("#")[0].split("?");
  const kept = query.split("&").filter((part) => part && !OWN.test(part)).join("&");
  return place + (kept && `?${kept}`) + location.hash;
}

export default function ({ parentElement }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    const field = document.createElement("input");
    field.readOnly = true;
    field.hidden = true;
    field.setAttribute("aria-label", "Link to this state");
    parentElement.append(button, said, field);
  }
  const [, said, field] = parentElement.querySelectorAll("button, span, input");
  button.textContent = "Copy link";
  said.textContent = "";
  field.hidden = true;
  button.onclick = async () => {
    const link = linkForOthers();
    try {
      await navigator.clipboard.writeText(link);
      said.textContent = "Copied";
    } catch {
      field.value = link;
      field.hidden = false;
      field.select();
      said.textContent = "Press Ctrl+C to copy";
    }
  };
}
"""
_STYLE = """
button {
  font: inherit; font-size: 0.875rem;
  color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
  padding: 0.25rem 0.75rem; min-height: 2.5rem; cursor: pointer; white-space: nowrap;
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
span { margin-left: 0.5rem; }
span:empty { margin: 0; }
input { width: 100%; margin-top: 0.25rem; font: inherit; }
"""


def copy_link_button(*, key: str) -> None:
    """Draw the button.

    It copies the address bar, which always holds the whole state, without what the visitor
    answered and looked up in lessons.
    """
    button = st.components.v2.component("dpviz_copy_link", js=_SCRIPT, css=_STYLE)
    button(key=key, width="content")
