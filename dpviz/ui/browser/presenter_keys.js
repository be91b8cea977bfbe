const WAYS = {
  ArrowRight: "next", PageDown: "next", ArrowLeft: "previous", PageUp: "previous", Escape: "leave",
};
// Large type seldom fits a projector, and nothing that scrolls has the focus.
const SCROLLS = { ArrowDown: 1, ArrowUp: -1 };
const SCROLLED_PART = 0.5;  // of the window's height
const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select, [role=slider], "
  + "[contenteditable=true], [role=option], [role=listbox], [role=menu]";
const CHOOSING = TYPING + ", input, [role=radio], [role=tab]";  // by arrow keys

export default function ({ parentElement }) {
  parentElement.stop?.abort();
  const stop = parentElement.stop = new AbortController();
  window.addEventListener("keydown", (event) => {
    if (!parentElement.isConnected) return stop.abort();
    const way = WAYS[event.key];
    const places = SCROLLS[event.key];
    const isTaken = event.defaultPrevented || event.ctrlKey || event.altKey
      || event.metaKey || event.shiftKey || document.querySelector("[role=dialog]");
    if ((way === undefined && places === undefined) || isTaken) return;
    const [target] = event.composedPath();
    if (target.closest?.(event.key.startsWith("Arrow") ? CHOOSING : TYPING)) return;
    if (places !== undefined) {
      event.preventDefault();
      document.querySelector(".stMain").scrollBy({ top: places * SCROLLED_PART * innerHeight });
      return;
    }
    if (event.repeat) return;
    const control = document.querySelector(
      `.st-key-present_${way} a[href], .st-key-present_${way} button`);
    if (!control) return;
    event.preventDefault();
    control.click();
  }, { signal: stop.signal });
  return () => { if (!parentElement.isConnected) stop.abort(); };
}
