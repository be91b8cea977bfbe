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
