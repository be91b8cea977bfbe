const SECOND_MS = 1000;

function show(button, seconds) {
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
  const time = `${seconds < 0 ? "−" : ""}${minutes}:${String(rest).padStart(2, "0")}`;
  const now = window.dpvizTimer?.end === undefined ? "Start" : "Stop";
  if (button.textContent !== time) button.textContent = time;
  button.setAttribute("aria-label", `${now} the timer, ${time}`);
  button.classList.toggle("over", seconds < 0);
}

export default function ({ parentElement, data }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    parentElement.append(button);
  }
  if (window.dpvizTimer?.lesson !== data.lesson) window.dpvizTimer = { lesson: data.lesson };
  const timer = window.dpvizTimer;
  const whole = data.minutes * 60;
  const left = () => timer.end === undefined
    ? whole : Math.ceil((timer.end - Date.now()) / SECOND_MS);
  button.onclick = () => {
    timer.end = timer.end === undefined ? Date.now() + whole * SECOND_MS : undefined;
    show(button, left());
  };
  show(button, left());
  clearInterval(parentElement.ticks);
  parentElement.ticks = setInterval(() => show(button, left()), SECOND_MS / 4);
  return () => clearInterval(parentElement.ticks);
}
