// What the scripts that draw share. browser_files.py puts this text into each of them, as nothing can
// be imported within a report.

/** Returns a new element; its text is no markup. */
function element(tag, className, text) {
  const node = document.createElement(tag);
  if (tag === "button") node.type = "button"; // by default it would send a form
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Reads JSON that Streamlit hands over as bytes. */
function parsed(data) {
  return JSON.parse(new TextDecoder().decode(data));
}

/** Returns the one of several that is the least away. */
function nearest(several, away) {
  return several.reduce((one, other) => (away(other) < away(one) ? other : one));
}

/** Lets a pointer drag a node by any part of it; `ends` is told whether it let go by itself. */
function makeDraggable(node, { begins, moves, ends }) {
  let isLetGo;
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    isLetGo = false;
    event.target.setPointerCapture(event.pointerId);
    node.classList.add("dpviz-held");
    begins?.(event);
  });
  node.addEventListener("pointermove", (event) => {
    if (event.target.hasPointerCapture(event.pointerId)) moves(event);
  });
  node.addEventListener("pointerup", () => {
    isLetGo = true;
  });
  node.addEventListener("lostpointercapture", () => {
    node.classList.remove("dpviz-held");
    ends?.(isLetGo);
  });
}
