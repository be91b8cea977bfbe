// The controls of settings, and the one queue through which all that a visitor does with them goes
// to the server. Served from static/ and imported by the few lines in static_files.py that
// Streamlit runs at each rerun of a page.
//
// A control shows what the server says, until the visitor does something: from then on it shows
// that, until a run of the page has answered it. It never sends what the server has set.

// The queue ---------------------------------------------------------------------------------

// A value that a drag ends with does not wait longer than this for the answer to one before.
const LAST_WAIT_MILLISECONDS = 120;
// A message that was lost, as with its connection, is sent again.
const AGAIN_MILLISECONDS = 4000;
// Presses of a key that follow each other within this time are one change to take back.
const GESTURE_MILLISECONDS = 1000;

const queue = {
  opening: undefined, // in which the controls were drawn
  heard: 0, // the number of the last act that a run has answered
  last: 0, // the number of the last act
  sent: 0, // the number of the last act of the message that is under way
  acts: [], // those that no run has answered
  send: undefined, // hands a message to Streamlit
  gesture: { name: undefined, number: 0, at: 0 },
  timer: undefined,
};
const controls = new Map(); // by the parent element of each

/** Notes that the visitor did something; `isLast` where it is not one of many that follow. */
export function act(name, value, { isLast = true, joins = false } = {}) {
  const gesture = joins ? gestureOf(name) : (queue.gesture = newGesture(name)).number;
  const tail = queue.acts.at(-1);
  const takesPlace = tail?.name === name && tail.gesture === gesture && tail.number > queue.sent;
  if (takesPlace) tail.value = value;
  else queue.acts.push({ number: ++queue.last, name, value, gesture });
  document.documentElement.classList.add("dpviz-waiting");
  if (!isUnderWay()) send();
  else if (isLast) hurry();
  return queue.last;
}
window.dpvizAct = act; // the charts' own module has no import: it is part of reports, too

// What a visitor does elsewhere, as with a menu or a download, comes after what was done before.
for (const event of ["pointerdown", "keydown"]) {
  document.addEventListener(event, ({ target, key }) => {
    const isElsewhere = !target.closest?.(".dpviz-control");
    const isPress = event === "pointerdown" || key === "Enter" || key === " ";
    if (isElsewhere && isPress && queue.last > queue.sent) send();
  }, { capture: true });
}

const isUnderWay = () => queue.sent > queue.heard;

function newGesture(name) {
  return { name, number: queue.gesture.number + 1, at: performance.now() };
}

function gestureOf(name) {
  const { gesture } = queue;
  const isSoon = performance.now() - gesture.at < GESTURE_MILLISECONDS;
  const goesOn = gesture.name === name && (gesture.isHeld || isSoon);
  if (!goesOn) queue.gesture = newGesture(name);
  queue.gesture.at = performance.now();
  return queue.gesture.number;
}

/** Sends what waits without the answer to what is under way, if that takes long. */
function hurry() {
  if (queue.last > queue.sent) sendWithin(LAST_WAIT_MILLISECONDS);
}

function send() {
  clearTimeout(queue.timer);
  if (queue.acts.length === 0 || queue.send === undefined) return;
  queue.sent = queue.last;
  queue.send({ opening: queue.opening, acts: queue.acts.map((one) => ({ ...one })) });
  sendWithin(AGAIN_MILLISECONDS);
}

function sendWithin(milliseconds) {
  clearTimeout(queue.timer);
  queue.timer = setTimeout(() => {
    const app = document.querySelector("[data-testid=stApp]");
    const isBusy = app?.dataset.testScriptState !== "notRunning" && queue.sent === queue.last;
    if (isBusy) sendWithin(AGAIN_MILLISECONDS);
    else send();
  }, milliseconds);
}

/** Takes what a run says it has answered. What was done in another opening is void. */
function hear({ opening, heard }) {
  if (opening !== queue.opening) {
    queue.opening = opening;
    queue.acts = [];
    queue.gesture = newGesture(undefined);
    queue.last = queue.sent = queue.heard = heard;
  }
  queue.heard = Math.max(queue.heard, heard);
  queue.acts = queue.acts.filter(({ number }) => number > queue.heard);
}

/** Called at the end of each run of a page: what waits is sent. */
export function answered({ data, setTriggerValue }) {
  hear(JSON.parse(new TextDecoder().decode(data)));
  queue.send = (message) => setTriggerValue("acts", message);
  // When what came with this stands there; the server computes while the chart is painted.
  setTimeout(() => {
    if (isUnderWay()) return;
    if (queue.acts.length > 0) send();
    else document.documentElement.classList.remove("dpviz-waiting");
  });
  return () => {};
}

// A control ---------------------------------------------------------------------------------

/** Draws `data`, which is JSON as bytes. Returns what to run at the end. */
export function drawControl({ parentElement, data }) {
  const spec = JSON.parse(new TextDecoder().decode(data));
  hear(spec);
  let control = controls.get(parentElement);
  if (control?.kind !== spec.kind || control?.name !== spec.name) {
    control?.node.remove();
    control = new KINDS[spec.kind](parentElement, spec);
    controls.set(parentElement, control);
  }
  control.take(spec);
  return () => {
    if (!parentElement.isConnected) controls.delete(parentElement);
  };
}

// Where sliders stop, by the names of grids.py.
const GRIDS = { "NOISE_MULTIPLIERS": [0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.2, 2.4, 2.6, 2.8, 3.0, 3.2, 3.4, 3.6, 3.8, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 22.0, 24.0, 26.0, 28.0, 30.0, 32.0, 34.0, 36.0, 38.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 100.0], "BOTTOM_RATES": [1e-05, 1.2e-05, 1.4e-05, 1.6e-05, 1.8e-05, 2e-05, 2.5e-05, 3e-05, 3.5e-05, 4e-05, 4.5e-05, 5e-05, 6e-05, 7e-05, 8e-05, 9e-05, 0.0001, 0.00012, 0.00014, 0.00016, 0.00018, 0.0002, 0.00025, 0.0003, 0.00035, 0.0004, 0.00045, 0.0005, 0.0006, 0.0007, 0.0008, 0.0009, 0.001, 0.0012, 0.0014, 0.0016, 0.0018, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.0045, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], "TOP_RATES": [0.001, 0.0011, 0.0012, 0.0013, 0.0014, 0.0015, 0.0016, 0.0017, 0.0018, 0.0019, 0.002, 0.0022, 0.0024, 0.0026, 0.0028, 0.003, 0.0032, 0.0034, 0.0036, 0.0038, 0.004, 0.0045, 0.005, 0.0055, 0.006, 0.0065, 0.007, 0.0075, 0.008, 0.0085, 0.009, 0.0095, 0.01, 0.011, 0.012, 0.013, 0.014, 0.015, 0.016, 0.017, 0.018, 0.019, 0.02, 0.022, 0.024, 0.026, 0.028, 0.03, 0.032, 0.034, 0.036, 0.038, 0.04, 0.045, 0.05, 0.055, 0.06, 0.065, 0.07, 0.075, 0.08, 0.085, 0.09, 0.095, 0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0], "AUGMENTATIONS": [0.0, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0], "WINDOWS": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64], "COUNTS": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600, 1800, 2000, 2500, 3000, 3500, 4000, 4500, 5000, 6000, 7000, 8000, 9000, 10000, 12000, 14000, 16000, 18000, 20000, 25000, 30000, 35000, 40000, 45000, 50000, 60000, 70000, 80000, 90000, 100000, 120000, 140000, 160000, 180000, 200000, 250000, 300000, 350000, 400000, 450000, 500000, 600000, 700000, 800000, 900000, 1000000], "DELTAS": [1e-12, 1.5e-12, 2e-12, 3e-12, 4e-12, 5e-12, 6e-12, 7e-12, 8e-12, 9e-12, 1e-11, 1.5e-11, 2e-11, 3e-11, 4e-11, 5e-11, 6e-11, 7e-11, 8e-11, 9e-11, 1e-10, 1.5e-10, 2e-10, 3e-10, 4e-10, 5e-10, 6e-10, 7e-10, 8e-10, 9e-10, 1e-09, 1.5e-09, 2e-09, 3e-09, 4e-09, 5e-09, 6e-09, 7e-09, 8e-09, 9e-09, 1e-08, 1.5e-08, 2e-08, 3e-08, 4e-08, 5e-08, 6e-08, 7e-08, 8e-08, 9e-08, 1e-07, 1.5e-07, 2e-07, 3e-07, 4e-07, 5e-07, 6e-07, 7e-07, 8e-07, 9e-07, 1e-06, 1.5e-06, 2e-06, 3e-06, 4e-06, 5e-06, 6e-06, 7e-06, 8e-06, 9e-06, 1e-05, 1.5e-05, 2e-05, 3e-05, 4e-05, 5e-05, 6e-05, 7e-05, 8e-05, 9e-05, 0.0001, 0.00015, 0.0002, 0.0003, 0.0004, 0.0005, 0.0006, 0.0007, 0.0008, 0.0009, 0.001], "BUDGETS": [0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0], "FIXED_EPSILONS": [0.001, 0.0012, 0.0014, 0.0016, 0.0018, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.0045, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0], "SUCCESSES": [0.501, 0.502, 0.505, 0.51, 0.52, 0.53, 0.54, 0.55, 0.56, 0.57, 0.58, 0.59, 0.6, 0.61, 0.62, 0.63, 0.64, 0.65, 0.66, 0.67, 0.68, 0.69, 0.7, 0.71, 0.72, 0.73, 0.74, 0.75, 0.76, 0.77, 0.78, 0.79, 0.8, 0.81, 0.82, 0.83, 0.84, 0.85, 0.86, 0.87, 0.88, 0.89, 0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99], "FALSE_POSITIVE_RATES": [1e-05, 1.2e-05, 1.4e-05, 1.6e-05, 1.8e-05, 2e-05, 2.5e-05, 3e-05, 3.5e-05, 4e-05, 4.5e-05, 5e-05, 6e-05, 7e-05, 8e-05, 9e-05, 0.0001, 0.00012, 0.00014, 0.00016, 0.00018, 0.0002, 0.00025, 0.0003, 0.00035, 0.0004, 0.00045, 0.0005, 0.0006, 0.0007, 0.0008, 0.0009, 0.001, 0.0012, 0.0014, 0.0016, 0.0018, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.0045, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1], "PRIORS": [0.0001, 0.00012, 0.00014, 0.00016, 0.00018, 0.0002, 0.00025, 0.0003, 0.00035, 0.0004, 0.00045, 0.0005, 0.0006, 0.0007, 0.0008, 0.0009, 0.001, 0.0012, 0.0014, 0.0016, 0.0018, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.0045, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46, 0.48, 0.5, 0.52, 0.54, 0.56, 0.58, 0.6, 0.62, 0.64, 0.66, 0.68, 0.7, 0.72, 0.74, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98, 0.99], "TRUE_POSITIVE_RATES": [0.0001, 0.00012, 0.00014, 0.00016, 0.00018, 0.0002, 0.00025, 0.0003, 0.00035, 0.0004, 0.00045, 0.0005, 0.0006, 0.0007, 0.0008, 0.0009, 0.001, 0.0012, 0.0014, 0.0016, 0.0018, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.0045, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46, 0.48, 0.5, 0.52, 0.54, 0.56, 0.58, 0.6, 0.62, 0.64, 0.66, 0.68, 0.7, 0.72, 0.74, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9] };
let identities = 0;

class Control {
  constructor(parent, { kind, name }) {
    Object.assign(this, { kind, name, number: 0, id: `dpviz-control-${++identities}` });
    this.node = element("div", `dpviz-control dpviz-kind-${kind}`);
    parent.replaceChildren(this.node);
    this.helps = new Help(this.id);
    this.said = element("div", "dpviz-said-here");
    this.said.setAttribute("role", "status");
    this.build();
    this.node.append(this.said);
  }

  /** Shows what a run says, unless it has not heard yet what the visitor did here. */
  take(spec) {
    if (spec.opening !== this.spec?.opening) this.number = 0;
    if (spec.heard < this.number) {
      this.waiting = spec; // the next one will have heard it
      return;
    }
    const text = JSON.stringify({ ...spec, heard: 0 });
    const isSame = text === this.text && this.number === 0;
    this.number = 0;
    this.spec = spec;
    this.text = text;
    if (isSame) return;
    this.helps.show(spec.help, spec.plainLabel ?? spec.label);
    const said = ["problem", "warning", "note", "caption"].filter((kind) => spec[kind]);
    this.said.replaceChildren(...said.map((kind) => element("p", `dpviz-${kind}`, spec[kind])));
    this.show(spec);
  }

  act(value, options) {
    this.number = act(this.name, value, options);
  }

  label(tag = "label") {
    const node = element(tag, "dpviz-label");
    node.id = `${this.id}-label`;
    return node;
  }
}

class NumberControl extends Control {
  build() {
    const head = element("div", "dpviz-head");
    this.words = this.label("span");
    this.box = element("input", "dpviz-box");
    Object.assign(this.box, { type: "text", autocomplete: "off", spellcheck: false });
    this.back = iconButton("restart_alt");
    this.range = element("input", "dpviz-range");
    Object.assign(this.range, { type: "range", min: 0, step: 1 });
    this.ends = element("div", "dpviz-ends");
    this.ends.setAttribute("aria-hidden", "true");
    head.append(this.words, this.helps.place, this.box, this.back);
    this.node.append(head, this.range, this.ends);
    this.range.addEventListener("input", () => this.slid(false));
    this.range.addEventListener("change", () => this.slid(true));
    this.range.addEventListener("keydown", (event) => this.pressed(event));
    this.range.addEventListener("pointerdown", () => {
      queue.gesture = { ...newGesture(this.name), isHeld: true };
      const drag = queue.gesture;
      const ends = () => Object.assign(drag, { isHeld: false, at: -Infinity });
      for (const end of ["pointerup", "pointercancel"]) {
        addEventListener(end, () => setTimeout(ends), { once: true });
      }
      document.dispatchEvent(new CustomEvent("dpviz-drag"));
    });
    this.box.addEventListener("change", () => this.typed());
    this.box.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.box.value = this.local?.text ?? this.spec.text;
    });
    this.back.addEventListener("click", () => this.act(null));
  }

  show(spec) {
    this.local = undefined;
    this.words.replaceChildren(...spec.label.map(span));
    this.node.classList.toggle("dpviz-slides", spec.stops.length > 0);
    this.box.setAttribute(
      "aria-label", spec.stops.length > 0 ? `${spec.plainLabel}, exact value` : spec.plainLabel);
    this.box.title = spec.text;
    this.box.disabled = this.range.disabled = spec.disabled;
    const isBeingTyped = document.activeElement === this.box && this.box.value !== this.boxText;
    if (!isBeingTyped || this.wasTyped) this.box.value = spec.text;
    this.boxText = this.box.value;
    this.wasTyped = false;
    this.range.hidden = this.ends.hidden = spec.stops.length === 0;
    this.back.hidden = spec.origin === null;
    this.back.disabled = spec.disabled || spec.origin === spec.text;
    name(this.back, `Reset: ${spec.plainLabel}`, `Back to ${spec.origin}`);
    if (spec.stops.length === 0) return;
    const grid = GRIDS[spec.stops] ?? spec.stops;
    // So that who slides away from a number of their data finds it again.
    if (!grid.includes(spec.value)) this.anchor = spec.value;
    const others = [spec.first, this.anchor].filter((one) => one !== null && one !== undefined);
    this.stops = [...new Set([...grid, ...others])].sort((one, other) => one - other);
    this.range.max = this.stops.length - 1;
    this.range.value = this.stops.indexOf(spec.value);
    this.range.setAttribute("aria-label", spec.plainLabel);
    this.ends.replaceChildren(...spec.ends.map((words) => element("span", "", words)));
    this.tell(spec.text);
  }

  tell(text) {
    const [low, high] = this.spec.ends;
    const unit = this.spec.unit ? ` ${this.spec.unit}` : "";
    this.range.setAttribute("aria-valuetext", `${spoken(text)}${unit}`);
    this.range.title = `← ${low} · ${high} →`;
    this.fill();
  }

  fill() {
    const part = this.range.max > 0 ? this.range.value / this.range.max : 0;
    this.range.style.setProperty("--part", `${100 * part}%`);
  }

  slid(isLast) {
    const value = this.stops[Number(this.range.value)];
    const text = numberText(value);
    if (text === (this.local?.text ?? this.spec.text)) {
      if (isLast) hurry();
      return;
    }
    this.local = { text };
    this.box.value = this.boxText = text;
    this.tell(text);
    this.act(text, { isLast, joins: true });
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const places = { PageUp: 10, PageDown: -10 }[event.key];
    if (!event.repeat) document.dispatchEvent(new CustomEvent("dpviz-drag"));
    if (places === undefined) return;
    event.preventDefault(); // browsers differ in how far these keys go
    const now = Number(this.range.value);
    this.range.value = Math.min(Math.max(now + places, 0), this.stops.length - 1);
    this.slid(true);
  }

  typed() {
    const text = this.box.value.trim();
    const before = this.local?.text ?? this.spec.text;
    if (text === "" || text === before) this.box.value = this.boxText = before;
    else this.act(text);
    this.wasTyped = true;
  }
}

class TextControl extends Control {
  build() {
    const head = element("div", "dpviz-head");
    this.words = this.label();
    this.box = element("input", "dpviz-box");
    this.box.id = this.id;
    this.words.htmlFor = this.id;
    Object.assign(this.box, { autocomplete: "off", spellcheck: false });
    head.append(this.words, this.helps.place);
    this.head = head;
    this.node.append(head, this.box);
    const typed = () => {
      if (this.box.value !== this.sent) this.act((this.sent = this.box.value));
    };
    this.box.addEventListener("change", typed);
  }

  show(spec) {
    this.words.replaceChildren(...spec.label.map(span));
    this.head.classList.toggle("dpviz-unseen", spec.hidesLabel === true);
    this.box.type = spec.type ?? "text";
    for (const limit of ["min", "max", "maxLength"]) {
      if (spec[limit] !== undefined) this.box[limit] = spec[limit];
    }
    this.box.placeholder = spec.placeholder ?? "";
    this.box.disabled = spec.disabled;
    this.box.value = this.sent = spec.value;
  }
}

class SelectControl extends Control {
  build() {
    const head = element("div", "dpviz-head");
    this.words = this.label();
    this.menu = element("select", "dpviz-menu");
    this.menu.id = this.id;
    this.words.htmlFor = this.id;
    head.append(this.words, this.helps.place);
    this.node.append(head, this.menu);
    this.menu.addEventListener("change", () => this.act(this.menu.value));
  }

  show(spec) {
    this.words.replaceChildren(...spec.label.map(span));
    const options = spec.options.map(([token, words]) => new Option(words, token));
    if (spec.value === null) {
      const none = new Option(spec.placeholder ?? "", "", true, true);
      none.disabled = none.hidden = true;
      options.unshift(none);
    }
    this.menu.replaceChildren(...options);
    this.menu.value = spec.value ?? "";
    this.menu.disabled = spec.disabled;
  }
}

/** Few options, all in sight: one of them, or with `multiple` any. */
class SegmentsControl extends Control {
  build() {
    const head = element("div", "dpviz-head");
    this.words = this.label("span");
    head.append(this.words, this.helps.place);
    this.group = element("div", "dpviz-options");
    this.group.setAttribute("aria-labelledby", `${this.id}-label`);
    this.node.append(head, this.group);
    this.head = head;
  }

  show(spec) {
    this.words.replaceChildren(...spec.label.map(span));
    this.head.classList.toggle("dpviz-unseen", spec.hidesLabel === true);
    this.group.setAttribute("role", spec.multiple ? "group" : "radiogroup");
    this.group.classList.toggle("dpviz-listed", spec.listed === true);
    const wanted = JSON.stringify([spec.options, spec.multiple]);
    if (wanted !== this.drawn) {
      this.drawn = wanted;
      this.group.replaceChildren(...spec.options.map((option) => this.option(spec, option)));
    }
    const chosen = spec.multiple ? spec.value : [spec.value];
    for (const input of this.inputs()) {
      input.checked = chosen.includes(input.value);
      input.disabled = spec.disabled;
    }
  }

  inputs() {
    return [...this.group.querySelectorAll("input")];
  }

  option({ multiple }, [token, words]) {
    const label = element("label", "dpviz-option");
    const input = element("input", "");
    Object.assign(input, { type: multiple ? "checkbox" : "radio", name: this.id, value: token });
    label.append(input, element("span", "", words));
    input.addEventListener("change", () => {
      const chosen = this.inputs().filter(({ checked }) => checked).map(({ value }) => value);
      this.act(multiple ? chosen : chosen[0]);
    });
    return label;
  }
}

class ToggleControl extends Control {
  build() {
    const label = element("label", "dpviz-toggle");
    this.input = element("input", "");
    this.input.type = "checkbox";
    this.words = element("span", "");
    label.append(this.input, this.words);
    const head = element("div", "dpviz-head");
    head.append(label, this.helps.place);
    this.node.append(head);
    this.input.addEventListener("change", () => this.act(this.input.checked));
  }

  show(spec) {
    this.words.replaceChildren(...spec.label.map(span));
    this.input.checked = spec.value;
    this.input.disabled = spec.disabled;
  }
}

const TYPING = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select";

class ButtonControl extends Control {
  build() {
    this.button = element("button", "dpviz-button");
    this.button.type = "button";
    this.icon = element("span", "dpviz-icon");
    this.icon.setAttribute("aria-hidden", "true");
    this.words = element("span", "dpviz-button-words");
    this.button.append(this.icon, this.words);
    this.node.append(this.button, this.helps.tip);
    this.helps.follows(this.button);
    this.button.addEventListener("click", () => this.act(this.spec.means));
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const { key, repeat, ctrlKey, altKey, metaKey } = event;
    if (key.toUpperCase() !== this.spec?.shortcut || !this.node.isConnected) return;
    const [target] = event.composedPath();
    if (repeat || ctrlKey || altKey || metaKey || target.closest?.(TYPING)) return;
    this.button.click();
  }

  show(spec) {
    this.words.replaceChildren(...spec.label.map(span));
    this.button.setAttribute("aria-label", spec.plainLabel);
    this.icon.textContent = spec.icon ?? "";
    this.icon.hidden = !spec.icon;
    this.button.classList.toggle("dpviz-quiet", spec.quiet === true);
    this.button.classList.toggle("dpviz-primary", spec.primary === true);
    this.button.disabled = spec.disabled;
  }
}

const KINDS = {
  number: NumberControl,
  text: TextControl,
  select: SelectControl,
  segments: SegmentsControl,
  toggle: ToggleControl,
  button: ButtonControl,
};

// Help --------------------------------------------------------------------------------------

/** An explanation behind a question mark, or one that shows while a button is pointed at. */
class Help {
  constructor(id) {
    this.place = element("span", "dpviz-help-place");
    this.button = element("button", "dpviz-help", "?");
    this.button.type = "button";
    this.button.setAttribute("aria-expanded", "false");
    this.tip = element("div", "dpviz-tip");
    this.tip.id = `${id}-help`;
    this.tip.hidden = true;
    this.button.setAttribute("aria-controls", this.tip.id);
    this.button.addEventListener("click", () => this.open(this.tip.hidden));
    this.place.append(this.button, this.tip);
    this.closes(this.place);
  }

  show(help, label) {
    this.tip.replaceChildren(...help.map((spans) => {
      const paragraph = element("p", "");
      paragraph.append(...spans.map(span));
      return paragraph;
    }));
    this.has = help.length > 0;
    this.button.hidden = !this.has;
    this.button.setAttribute("aria-label", `Help: ${label}`);
    if (!this.has) this.open(false);
  }

  /** Shows the words while another node has the pointer or the focus. */
  follows(node) {
    node.setAttribute("aria-describedby", this.tip.id);
    this.tip.setAttribute("role", "tooltip");
    node.addEventListener("pointerenter", ({ pointerType }) => {
      if (pointerType === "mouse") this.timer = setTimeout(() => this.open(true), 400);
    });
    node.addEventListener("focus", () => {
      if (node.matches(":focus-visible")) this.open(true);
    });
    for (const event of ["pointerleave", "blur", "click"]) {
      node.addEventListener(event, () => this.open(false));
    }
    this.closes(node);
  }

  closes(node) {
    node.addEventListener("keydown", ({ key }) => key === "Escape" && this.open(false));
    node.addEventListener("focusout", ({ relatedTarget }) => {
      if (!node.contains(relatedTarget)) this.open(false);
    });
  }

  open(isOpen) {
    clearTimeout(this.timer);
    this.tip.hidden = !(isOpen && this.has);
    this.button.setAttribute("aria-expanded", String(!this.tip.hidden));
    if (this.tip.hidden) return;
    // Within the window, under what it explains or, where there is no room, over it.
    this.tip.style.left = "0";
    const { left, bottom, top } = this.tip.parentElement.getBoundingClientRect();
    const { width, height } = this.tip.getBoundingClientRect();
    const most = document.documentElement.clientWidth - width - 8;
    this.tip.style.left = `${Math.max(8, Math.min(left, most))}px`;
    this.tip.style.top = `${bottom + height + 8 > innerHeight ? top - height - 4 : bottom + 4}px`;
  }
}

addEventListener("scroll", closeTips, { capture: true, passive: true });
function closeTips({ target }) {
  for (const { helps } of controls.values()) {
    if (!helps.tip.hidden && !helps.tip.contains(target)) helps.open(false);
  }
}

// Words -------------------------------------------------------------------------------------

/** Writes a number as the boxes do: with every digit. */
export function numberText(value) {
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e16) ? value.toExponential() : String(value);
  return text.replace("e+", "e");
}

const SUPERSCRIPTS = /^([\d.]+)e(-?)(\d+)$/;

/** Returns a number's text as a screen reader should say it. */
export function spoken(text) {
  const [, digits, minus, power] = SUPERSCRIPTS.exec(text) ?? [];
  if (digits === undefined) return text;
  const times = digits === "1" ? "" : `${digits} times `;
  return `${times}10 to the ${minus ? "minus " : ""}${power}`;
}

/** Returns a piece of text as it is set; what explains it opens beside the page. */
function span([text, kind, address]) {
  const words = element(kind || "span", "", text);
  if (!address) return words;
  const link = element("a", "");
  Object.assign(link, { href: address, target: "_blank", rel: "noopener" });
  link.append(words);
  return link;
}

function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function iconButton(icon) {
  const button = element("button", "dpviz-back");
  button.type = "button";
  const drawing = element("span", "dpviz-icon", icon);
  drawing.setAttribute("aria-hidden", "true");
  button.append(drawing);
  return button;
}

function name(node, label, title) {
  node.setAttribute("aria-label", label);
  node.title = title;
}

const STYLE = document.createElement("style");
STYLE.textContent = `.dpviz-control { font: 400 0.875rem/1.4 var(--st-font); color: var(--st-text-color); min-width: 0; }
.dpviz-control :is(input, select, button) { font: inherit; color: inherit; margin: 0; }
.dpviz-control [hidden] { display: none !important; }
.dpviz-head { display: flex; align-items: center; gap: 0.375rem; min-height: 1.75rem; }
.dpviz-kind-number .dpviz-head > :first-child { flex: 0 1 auto; min-width: 0; }
.dpviz-kind-number .dpviz-box { margin-left: auto; text-align: right; width: 6.5rem; flex: none; }
.dpviz-kind-number:not(.dpviz-slides) .dpviz-head { flex-wrap: wrap; }
.dpviz-kind-number:not(.dpviz-slides) .dpviz-box { flex: 1 1 100%; text-align: left; }
.dpviz-box, .dpviz-menu {
  box-sizing: border-box; width: 100%; min-width: 0; height: 2rem; padding: 0 0.5rem;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius); text-overflow: ellipsis;
}
.dpviz-kind-number.dpviz-slides .dpviz-box { height: 1.75rem; }
.dpviz-menu option { color: var(--st-text-color); background: var(--st-background-color); }
.dpviz-control :is(input, select, button):disabled { opacity: 0.55; cursor: not-allowed; }
.dpviz-control :is(input, select, button):focus-visible {
  outline: 2px solid CanvasText; outline-offset: 2px;
}
.dpviz-range {
  display: block; width: 100%; height: 1.25rem; background: none; cursor: pointer;
  appearance: none; touch-action: pan-y;
}
.dpviz-range::-webkit-slider-runnable-track {
  height: 4px; border-radius: 2px; background: linear-gradient(to right,
    var(--st-primary-color) var(--part), var(--st-border-color) var(--part));
}
.dpviz-range::-webkit-slider-thumb {
  appearance: none; width: 1rem; height: 1rem; margin-top: -6px; border: 0; border-radius: 50%;
  background: var(--st-primary-color);
}
.dpviz-range::-moz-range-track { height: 4px; border-radius: 2px; background: var(--st-border-color); }
.dpviz-range::-moz-range-progress {
  height: 4px; border-radius: 2px; background: var(--st-primary-color);
}
.dpviz-range::-moz-range-thumb {
  width: 1rem; height: 1rem; border: 0; border-radius: 50%; background: var(--st-primary-color);
}
.dpviz-ends {
  display: flex; justify-content: space-between; gap: 1rem; font-size: 0.75rem; line-height: 1.2;
  opacity: 0.8;
}
.dpviz-back, .dpviz-help {
  flex: none; width: 1.5rem; height: 1.5rem; padding: 0; border: 0; border-radius: 50%;
  background: none; cursor: pointer; line-height: 1;
}
.dpviz-back:not(:disabled):hover, .dpviz-help:hover { background: var(--st-secondary-background-color); }
.dpviz-back .dpviz-icon { font-size: 1.125rem; }
.dpviz-help {
  display: grid; place-items: center; width: 1.125rem; height: 1.125rem; font-size: 0.6875rem;
  border: 1px solid var(--st-border-color);
}
.dpviz-help-place { display: inline-flex; flex: none; }
.dpviz-icon {
  font-family: "Material Symbols Rounded"; font-size: 1.25rem; line-height: 1; font-weight: 400;
  font-feature-settings: "liga"; display: inline-block; width: 1em; height: 1em; overflow: hidden;
  white-space: nowrap; user-select: none;
}
.dpviz-tip {
  position: fixed; z-index: 1000; max-width: min(22rem, calc(100vw - 2rem)); padding: 0.5rem 0.75rem;
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius); box-shadow: 0 2px 12px rgba(0, 0, 0, 0.25);
  font-size: 0.8125rem; text-align: left; white-space: normal;
}
.dpviz-tip p { margin: 0 0 0.5rem; }
.dpviz-tip p:last-child { margin: 0; }
.dpviz-tip a { color: var(--st-link-color); }
.dpviz-said-here p {
  margin: 0.25rem 0 0; padding: 0.25rem 0.5rem; font-size: 0.8125rem; color: CanvasText;
  border-radius: var(--st-base-radius); overflow-wrap: anywhere;
}
.dpviz-said-here .dpviz-caption { padding: 0; opacity: 0.8; font-size: 0.75rem; }
.dpviz-said-here :is(.dpviz-warning, .dpviz-problem) { background: light-dark(#fff3c4, #4a3b00); }
.dpviz-said-here .dpviz-problem { border-left: 3px solid currentcolor; }
.dpviz-said-here .dpviz-note { background: light-dark(#e3eff3, #10303a); }
/* An answer is of one state: the old one pales as a whole until the new one is there. */
.stColumn:has(.st-key-answer), .st-key-answer { transition: opacity 0.05s; }
.dpviz-waiting .stColumn:has(.st-key-answer) { opacity: 0.8; transition-delay: 0.25s; }
.dpviz-unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.dpviz-options { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.dpviz-option {
  position: relative; display: inline-flex; align-items: center; min-height: 2rem; cursor: pointer;
  padding: 0.125rem 0.625rem; border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
.dpviz-options:not(.dpviz-listed) input { position: absolute; opacity: 0; inset: 0; cursor: pointer; }
.dpviz-option:has(:checked) {
  border-color: var(--st-primary-color); box-shadow: inset 0 0 0 1px var(--st-primary-color);
  background: color-mix(in srgb, var(--st-primary-color) 14%, transparent); font-weight: 600;
}
.dpviz-option:has(:focus-visible) { outline: 2px solid CanvasText; outline-offset: 2px; }
.dpviz-option:has(:disabled) { cursor: not-allowed; opacity: 0.55; }
.dpviz-listed { flex-direction: column; gap: 0.375rem; }
.dpviz-listed .dpviz-option { gap: 0.625rem; font-weight: 400; }
.dpviz-listed input { flex: none; }
.dpviz-control :is(input[type="radio"], input[type="checkbox"]) { accent-color: var(--st-primary-color); }
.dpviz-toggle { display: inline-flex; gap: 0.5rem; align-items: baseline; cursor: pointer; }
.dpviz-button {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.375rem; width: 100%;
  min-height: 2.5rem; padding: 0.125rem 0.75rem; cursor: pointer; background: none;
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
}
.dpviz-button:not(:disabled):hover { border-color: var(--st-primary-color); color: var(--st-link-color); }
.dpviz-button.dpviz-primary {
  background: var(--st-primary-color); border-color: var(--st-primary-color); color: #fff;
}
.dpviz-button.dpviz-quiet { border-color: transparent; padding-inline: 0.375rem; }
`;
document.head.append(STYLE);
