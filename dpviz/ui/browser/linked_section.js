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
