const SETTLED_AFTER_MS = 4000;
const PAUSE_MS = 100;

const truth = () => document.querySelector(".st-key-truth");
const named = () => document.getElementById(hash());

// What follows # in an address that somebody has typed need not be whole.
function hash() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

// Streamlit does not know of a fold that is opened by anything but its own summary, as browsers do
// for an address with #: its arrow stays, and what is in it can be neither clicked nor reached.
function unfold() {
  const part = named()?.closest("[class*=st-key-linked_]");
  part?.querySelector("details:has(> [inert]) > summary")?.click();
  return Boolean(part);
}

export default function ({ parentElement, data }) {
  const { text } = parentElement;
  parentElement.text = data.text;
  if (text !== undefined && text !== data.text) {
    document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
  }
  window.onhashchange = unfold;  // one, however often the page is opened
  const isNew = text === undefined;
  const name = hash();
  if (name ? parentElement.followed === name : !isNew || !truth()) return;
  parentElement.followed = name;
  const stop = new AbortController();
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown", "hashchange"]) {
    window.addEventListener(kind, () => stop.abort(), { signal: stop.signal, passive: true });
  }
  const end = performance.now() + SETTLED_AFTER_MS;
  let isOpen = false;
  const follow = () => {
    if (stop.signal.aborted) return;
    isOpen ||= unfold();
    if (name) named()?.scrollIntoView();
    else truth()?.scrollIntoView({ block: "nearest" });
    if (performance.now() < end) setTimeout(follow, PAUSE_MS);
    else stop.abort();
  };
  follow();
}
