// The controls of settings, and the one queue through which all that a visitor does with them goes
// to the server. Served and imported by the few lines in static_files.py that
// Streamlit runs at each rerun of a page.
//
// A control shows what the server says, until the visitor does something: from then on it shows
// that, until a run of the page has answered it. It never sends what the server has set.

/* SHARED */

// The queue ---------------------------------------------------------------------------------

// A value that a drag ends with does not wait longer than this for the answer to one before.
const LAST_WAIT_MILLISECONDS = 120;
// A message that was lost, as with its connection, is sent again.
const AGAIN_MILLISECONDS = 4000;
// Presses of a key that follow each other within this time are one change to take back.
const GESTURE_MILLISECONDS = 1000;

// A slider rests that has not moved for this long; then all that follows from it is asked for.
const REST_MILLISECONDS = 150;
const HELD_REST_MILLISECONDS = 400;

const ANSWER_HEIGHT = "--dpviz-answer-height";
const queue = {
  opening: undefined, // in which the controls were drawn
  heard: 0, // the number of the last act that a run has answered
  last: 0, // the number of the last act
  sent: 0, // the number of the last act of the message that is under way
  acts: [], // those that no run has answered
  send: undefined, // hands a message to Streamlit, which draws all that an act can change
  sendLive: undefined, // likewise, but draws only what follows a slider while it moves
  isBehind: false, // whether such an answer is there, and the rest still to be drawn
  gesture: { name: undefined, number: 0, at: 0 },
  timer: undefined,
  quietUntil: 0,
};
const controls = new Map(); // by the parent element of each

/**
 * Notes that the visitor did something: `isLast` where it is not one of many that follow, `joins`
 * where it is the move of a slider.
 */
export function act(name, value, { isLast = true, joins = false } = {}) {
  const gesture = joins ? gestureOf(name) : (queue.gesture = newGesture(name)).number;
  const tail = queue.acts.at(-1);
  const takesPlace = tail?.name === name && tail.gesture === gesture && tail.number > queue.sent;
  if (takesPlace) tail.value = value;
  else queue.acts.push({ number: ++queue.last, name, value, gesture, joins });
  wait();
  if (!isUnderWay()) send();
  else if (isLast) hurry();
  return queue.last;
}
// The charts' own module has no import: it is part of reports, too.
Object.assign(window, {
  dpvizAct: act, dpvizHold: hold, dpvizShow: show, dpvizStops: (grid) => GRIDS[grid],
});

// What a visitor does elsewhere, as with a menu or a download, comes after what was done before.
for (const event of ["pointerdown", "keydown"]) {
  document.addEventListener(event, ({ target, key }) => {
    const isElsewhere = !target.closest?.(".dpviz-control");
    const isPress = event === "pointerdown" || key === "Enter" || key === " ";
    if (!isElsewhere || !isPress) return;
    // Another page's sentence has a height of its own.
    if (target.closest?.("a")) document.documentElement.style.removeProperty(ANSWER_HEIGHT);
    if (queue.last > queue.sent) send();
    else settle();
  }, { capture: true });
}

function wait() {
  const { classList, style } = document.documentElement;
  const answer = document.querySelector(".st-key-answer");
  // A first sentence is often shorter than the whole one: the chart below stays where it is.
  if (answer && !classList.contains("dpviz-waiting")) {
    style.setProperty(ANSWER_HEIGHT, `${answer.offsetHeight}px`);
  }
  classList.add("dpviz-waiting", "dpviz-unanswered");
}

const isUnderWay = () => queue.sent > queue.heard;

function newGesture(name) {
  return { name, number: queue.gesture.number + 1, at: performance.now() };
}

/** Notes that a pointer holds what acts by this name: all of them, until it lets go, are one. */
function hold(name) {
  queue.gesture = { ...newGesture(name), isHeld: true };
  const drag = queue.gesture;
  const ends = () => {
    Object.assign(drag, { isHeld: false, at: -Infinity });
    hurry();
    settle();
  };
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => setTimeout(ends), { once: true });
  }
  document.dispatchEvent(new CustomEvent("dpviz-drag"));
}

/** Shows a number that the page is at without an act of the visitor, as while a chart is played. */
function show(name, value) {
  for (const control of controls.values()) {
    if (control.name === name) control.follow?.(value);
  }
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
  const quiet = queue.quietUntil - performance.now();
  if (quiet > 0) {
    sendWithin(quiet);
    return;
  }
  queue.sent = queue.last;
  const isLive = queue.sendLive && queue.acts.every(({ joins }) => joins);
  const acts = queue.acts.map(({ joins, ...act }) => act);
  (isLive ? queue.sendLive : queue.send)({ opening: queue.opening, acts });
  sendWithin(AGAIN_MILLISECONDS);
}

/** Returns how long nothing may move before a slider rests; once it is let go, it does. */
function restMilliseconds() {
  if (queue.gesture.isHeld) return HELD_REST_MILLISECONDS;
  return queue.gesture.at === -Infinity ? 0 : REST_MILLISECONDS;
}

/** Asks for all that follows from a slider, which rests; again where that seems lost. */
function settle({ isAgain = false } = {}) {
  if (isUnderWay() || queue.acts.length > 0 || !queue.isBehind) return;
  clearTimeout(queue.timer);
  if (!isAgain || !isBusy()) queue.send({ opening: queue.opening, acts: [] });
  queue.timer = setTimeout(() => settle({ isAgain: true }), AGAIN_MILLISECONDS);
}

function isBusy() {
  return document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";
}

function sendWithin(milliseconds) {
  clearTimeout(queue.timer);
  queue.timer = setTimeout(() => {
    if (isBusy() && queue.sent === queue.last) sendWithin(AGAIN_MILLISECONDS);
    else send();
  }, milliseconds);
}

/** Begins anew where another link was opened: what was done before is void. */
function open({ opening, heard }) {
  if (opening === queue.opening) return;
  queue.opening = opening;
  queue.acts = [];
  queue.gesture = newGesture(undefined);
  queue.last = queue.sent = queue.heard = heard;
}

/** Takes what a run has answered. What it draws before its end has heard of it, too. */
function hear(news) {
  open(news);
  queue.heard = Math.max(queue.heard, news.heard);
  queue.acts = queue.acts.filter(({ number }) => number > queue.heard);
}

/**
 * Called at the end of each run of a page, or of what follows a slider: what waits is sent. Of the
 * latter also within a run of the page, which has not answered yet.
 */
export function answered({ data, setTriggerValue }) {
  const { isLive, isAlone, hasLive, ...news } = parsed(data);
  const sends = (message) => setTriggerValue("acts", message);
  if (isLive) {
    queue.sendLive = sends;
    if (!isAlone) return () => {};
    // Also where a run of all, asked for before this act, has been answered meanwhile.
    queue.isBehind = true;
  } else {
    queue.send = sends;
    queue.isBehind = false;
    if (!hasLive) queue.sendLive = undefined;
  }
  hear(news);
  // When what came with this stands there; the server computes while the chart is painted.
  setTimeout(() => {
    if (isUnderWay()) return;
    if (queue.acts.length > 0) {
      send();
      return;
    }
    document.documentElement.classList.remove("dpviz-unanswered");
    document.dispatchEvent(new CustomEvent("dpviz-answered"));
    clearTimeout(queue.timer);
    if (!queue.isBehind) document.documentElement.classList.remove("dpviz-waiting");
    else queue.timer = setTimeout(settle, restMilliseconds());
  });
  return () => {};
}

// The page is asked for again when its connection is there again: by another session, maybe.
const connection = { run: undefined };
new MutationObserver(([{ target }]) => {
  if (target.dataset.testConnectionState !== "CONNECTED" || !connection.run) return;
  wait();
  connection.run();
}).observe(document.querySelector("[data-testid=stApp]"), {
  attributes: true, attributeFilter: ["data-test-connection-state"],
});

/** Called at the beginning of each run of a whole page. */
export function connected({ setTriggerValue }) {
  connection.run = () => setTriggerValue("again", true);
  return () => {};
}

// A control ---------------------------------------------------------------------------------

/** Draws `data`, which is JSON as bytes. Returns what to run at the end. */
export function drawControl({ parentElement, data }) {
  const spec = parsed(data);
  open(spec);
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
const GRIDS = { /* GRIDS */ };
let identities = 0;
// What a box has room for.
const MOST_DIGITS_SHOWN = 9;

// Back and forth in the browser's history open another link: what was done before is void, and a
// message beside theirs would hide from Streamlit that they were asked for.
const QUIET_MILLISECONDS = 400;
addEventListener("popstate", () => {
  queue.acts = [];
  queue.quietUntil = performance.now() + QUIET_MILLISECONDS;
});

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
      return; // the next one will have heard it
    }
    const text = JSON.stringify({ ...spec, heard: 0 });
    const isSame = text === this.text && this.number === 0;
    this.number = 0;
    this.spec = spec;
    this.text = text;
    if (isSame) return;
    this.helps.show(spec.help, spec.plainLabel ?? spec.label);
    const said = ["problem", "warning", "note", "caption"].filter((kind) => spec[kind]);
    this.said.replaceChildren(...said.map((kind) => typeset("p", `dpviz-${kind}`, spec[kind])));
    this.words.replaceChildren(...spec.label.map(span));
    this.named.setAttribute("aria-label", spec.plainLabel);
    this.show(spec);
  }

  act(value, options) {
    this.number = act(this.name, value, options);
  }

  /** Puts the words, with the help on them, over what follows; a `field` is what they are of. */
  heading(field) {
    this.head = element("div", "dpviz-head");
    this.words = element(field ? "label" : "span", "dpviz-label");
    if (field) this.words.htmlFor = field.id = this.id;
    this.head.append(this.words, this.helps.place);
    this.node.append(this.head);
  }
}

/** Returns whether a box holds what nobody has been told yet: `known` is what it held before. */
function isBeingTyped(box, known) {
  return document.activeElement === box && box.value !== known;
}

class NumberControl extends Control {
  build() {
    this.heading();
    this.box = this.named = element("input", "dpviz-box");
    Object.assign(this.box, { type: "text", autocomplete: "off", spellcheck: false });
    this.back = element("button", "dpviz-back");
    this.back.append(iconOf(":material/restart_alt:"));
    this.range = element("input", "dpviz-range");
    Object.assign(this.range, { type: "range", min: 0, step: 1 });
    this.ends = element("div", "dpviz-ends");
    this.ends.setAttribute("aria-hidden", "true");
    this.head.append(this.box, this.back);
    this.node.append(this.range, this.ends);
    this.range.addEventListener("input", () => this.slid(false));
    this.range.addEventListener("change", () => this.slid(true));
    this.range.addEventListener("keydown", (event) => this.pressed(event));
    this.range.addEventListener("pointerdown", () => hold(this.name));
    this.box.addEventListener("change", () => this.typed());
    this.box.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.write(this.local?.text ?? this.spec.text);
    });
    this.box.addEventListener("focus", () => {
      this.write(this.local?.text ?? this.spec.text);
      this.box.select(); // what was selected is not, once another text stands there
    });
    this.box.addEventListener("blur", () => this.write(this.local?.text ?? this.spec.text));
    this.back.addEventListener("click", () => {
      this.local = { text: this.spec.origin };
      this.act(null);
    });
  }

  show(spec) {
    this.local = undefined;
    const slides = spec.stops.length > 0;
    this.node.classList.toggle("dpviz-slides", slides);
    if (slides) this.box.setAttribute("aria-label", `${spec.plainLabel}, exact value`);
    this.box.disabled = this.range.disabled = spec.disabled;
    if (!isBeingTyped(this.box, this.boxText)) this.write(spec.text);
    this.range.hidden = this.ends.hidden = !slides;
    this.back.hidden = spec.origin === null;
    this.back.disabled = spec.disabled || spec.origin === spec.text;
    this.back.setAttribute("aria-label", `Reset: ${spec.plainLabel}`);
    this.back.title = `Back to ${spec.origin}`;
    if (!slides) return;
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

  /** Shows another number than the last run said, unless the visitor has set one or is about to. */
  follow(value) {
    const isHeld = queue.gesture.isHeld && queue.gesture.name === this.name;
    const text = numberText(value);
    if (isHeld || this.number !== 0 || text === (this.local?.text ?? this.spec.text)) return;
    this.show({ ...this.spec, value, text });
    this.local = { text };
  }

  /** Shows a number: as long as nobody edits it, no more of it than can be read. */
  write(text) {
    const isEdited = document.activeElement === this.box;
    this.box.value = this.boxText = isEdited ? text : shortNumber(text);
    this.box.title = text;
  }

  tell(text) {
    const [low, high] = this.spec.ends;
    this.range.setAttribute("aria-valuetext", spoken(text));
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
    this.write(text);
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
    if (text === "" || text === before) {
      this.write(before);
      if (this.spec.problem) this.act(before); // what was refused is no longer there
    } else {
      this.local = { text };
      this.boxText = this.box.value; // the answer takes its place, unless typing goes on
      this.act(text);
    }
  }
}

class TextControl extends Control {
  build() {
    this.box = this.named = element("input", "dpviz-box");
    Object.assign(this.box, { autocomplete: "off", spellcheck: false });
    this.heading(this.box);
    this.node.append(this.box);
    const typed = () => {
      if (this.box.value !== this.sent) this.act((this.sent = this.box.value));
    };
    this.box.addEventListener("change", typed);
  }

  show(spec) {
    this.head.classList.toggle("dpviz-unseen", spec.hidesLabel === true);
    this.box.type = spec.type ?? "text";
    for (const limit of ["min", "max"]) {
      if (spec[limit] !== undefined) this.box[limit] = spec[limit];
    }
    this.box.placeholder = spec.placeholder ?? "";
    this.box.disabled = spec.disabled;
    if (!isBeingTyped(this.box, this.sent)) this.box.value = spec.value;
    this.sent = spec.value;
  }
}

class SelectControl extends Control {
  build() {
    this.menu = this.named = element("select", "dpviz-menu");
    this.heading(this.menu);
    this.node.append(this.menu);
    this.menu.addEventListener("change", () => this.act(this.menu.value));
  }

  show(spec) {
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
    this.heading();
    this.group = this.named = element("div", "dpviz-options");
    this.node.append(this.group);
  }

  show(spec) {
    this.head.classList.toggle("dpviz-unseen", spec.hidesLabel === true);
    this.helps.place.hidden = spec.hidesLabel === true; // nobody would see what has the focus
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
    input.setAttribute("aria-label", words);
    label.append(input, typeset("span", "", words));
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
    this.input = this.named = element("input", "");
    this.input.type = "checkbox";
    this.words = element("span", "");
    label.append(this.input, this.words);
    const head = element("div", "dpviz-head");
    head.append(label, this.helps.place);
    this.node.append(head);
    this.input.addEventListener("change", () => this.act(this.input.checked));
  }

  show(spec) {
    this.input.checked = spec.value;
    this.input.disabled = spec.disabled;
  }
}

const TYPING = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select";

class ButtonControl extends Control {
  build() {
    this.button = this.named = element("button", "dpviz-button");
    this.icon = iconOf("");
    this.words = element("span", "dpviz-button-words");
    this.button.append(this.icon, this.words);
    this.node.append(this.button, this.helps.tip);
    this.helps.follows(this.button);
    this.button.addEventListener("click", () => this.act(this.spec.means));
  }

  show(spec) {
    this.icon.textContent = iconWord(spec.icon);
    this.icon.hidden = !spec.icon;
    this.button.classList.toggle("dpviz-quiet", spec.quiet === true);
    this.button.classList.toggle("dpviz-primary", spec.primary === true);
    this.button.disabled = spec.disabled;
  }
}

// A shortcut presses its button. One listener for all pages: it would outlive a button.
document.addEventListener("keydown", (event) => {
  const { key, repeat, ctrlKey, altKey, metaKey } = event;
  const [target] = event.composedPath();
  if (repeat || ctrlKey || altKey || metaKey || target.closest?.(TYPING)) return;
  const letter = key?.toUpperCase(); // a browser that fills in a form tells of no key
  for (const { spec, node, button } of letter ? controls.values() : []) {
    if (spec?.shortcut === letter && node.isConnected) button.click();
  }
});

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

/** Writes a number with many digits by its first ones, and says so; what is typed may be none. */
export function shortNumber(text) {
  const number = Number(text);
  const isShort = text.length <= MOST_DIGITS_SHOWN || !text.includes(".");
  if (isShort || !Number.isFinite(number)) return text;
  return `≈ ${numberText(Number(number.toPrecision(4)))}`;
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
  const words = (kind === "code" ? element : typeset)(kind || "span", "", text);
  if (!address) return words;
  const link = element("a", "");
  Object.assign(link, { href: address, target: "_blank", rel: "noopener" });
  link.append(words);
  return link;
}

const SYMBOLS = /SYMBOLS/gu;

/** Returns an element with a text in which symbols are set as in formulas. */
function typeset(tag, className, text) {
  const node = element(tag, className);
  let end = 0;
  for (const { 0: whole, 1: letter, 2: index, 3: alone, index: start } of text.matchAll(SYMBOLS)) {
    node.append(text.slice(end, start), element("var", "", letter ?? alone));
    if (index) node.append(element("sub", "", index));
    end = start + whole.length;
  }
  node.append(text.slice(end));
  return node;
}

// The word that the font of icons draws as one; "" for none.
function iconWord(icon) {
  return (icon ?? "").replace(/^:material\/(.*):$/, "$1");
}

function iconOf(icon) {
  const drawing = element("span", "dpviz-icon", iconWord(icon));
  drawing.setAttribute("aria-hidden", "true");
  return drawing;
}

document.head.append(element("style", "", `/* STYLE */`));
