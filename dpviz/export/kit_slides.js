// Remote controls send PageUp and PageDown.
const WAYS = {
  ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1,
  Home: -Infinity, End: Infinity,
};
const slides = [...document.querySelectorAll(".slide")];

addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (way === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const middle = innerHeight / 2;
  const now = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > middle);
  const next = Math.min(Math.max(now + way, 0), slides.length - 1);
  location.replace(`#${slides[next].id}`);
});
