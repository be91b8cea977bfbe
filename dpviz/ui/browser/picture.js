// The live picture of sampling on the start page: batches rain on series, one value of which is
// secret. It plays without the server, which only says what is proven of each setting.

/* SHARED */

const STEP_MILLISECONDS = 900;
const FALL_MILLISECONDS = 380;
const FLASH_MILLISECONDS = 450;
// So long nothing may move before the sentence follows: not every stop of a drag is read out.
const REST_MILLISECONDS = 400;
const MOST_LISTED = 24; // values that a refusal names one by one
const AMPLITUDE = 0.36; // of a row's height
// Of a row's height: a window, and the room over which those of one series are spread.
const FEW_WINDOWS = { height: 0.6, room: 0.3 };
const MANY_WINDOWS = { height: 0.44, room: 0.5 };
const SCALE = [0.5, 1, 2, 5, 10, 20]; // of epsilon, marked; the scale itself goes on a little
const SCALE_END = 25;
const FAR = 10; // values that a page key moves the secret by
const SVG = "http://www.w3.org/2000/svg";

const pictures = new WeakMap();
const littleMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Draws `data`, which is JSON as bytes. Returns what to run at the end. */
export function drawPicture({ parentElement, data }) {
  let picture = pictures.get(parentElement);
  if (picture === undefined) {
    picture = new Picture(parentElement, parsed(data));
    pictures.set(parentElement, picture);
  }
  picture.take(parsed(data));
  return () => {
    // Streamlit also calls this for a rerun that a later one overtook, while the picture lives on.
    if (parentElement.isConnected) return;
    picture.remove();
    pictures.delete(parentElement);
  };
}

class Picture {
  constructor(parent, told) {
    Object.assign(this, { told, ...told.first, ...linked(told), isPlaying: true, isSeen: true });
    this.page = location.pathname;
    this.numSeries = told.series.length;
    this.starts = told.length - told.forecast + 1;
    this.node = element("section", "dpviz-picture");
    this.node.setAttribute("aria-label", "Batches drawn from series, one value of which is secret");
    parent.replaceChildren(this.node);
    this.build();
    this.ended = new AbortController();
    const { signal } = this.ended;
    document.addEventListener("visibilitychange", () => this.goOn(), { signal });
    littleMotion.addEventListener("change", () => {
      this.begin();
      this.say();
    }, { signal });
    const follow = () => this.set({ ...told.first, ...linked(told) });
    addEventListener("hashchange", follow, { signal });
    addEventListener("popstate", follow, { signal }); // where what is before the # differs, too
    this.observer = new IntersectionObserver(([{ isIntersecting }]) => {
      this.isSeen = isIntersecting;
      this.goOn();
    });
    this.observer.observe(this.node);
    this.begin();
  }

  remove() {
    clearTimeout(this.timer);
    clearTimeout(this.rest);
    this.ended.abort();
    this.observer.disconnect();
  }

  /** Takes what the server says: bounds that were still to come. */
  take(told) {
    this.told = told;
    this.show();
    this.say();
  }

  // What stands there --------------------------------------------------------------------------

  build() {
    const { told } = this;
    const main = element("div", "dpviz-picture-main");
    this.sample = element("div", "dpviz-window dpviz-sample");
    this.sample.append(element("span", "dpviz-forecast"));
    this.edge = handle("dpviz-edge", "Window length", "↔");
    ranged(this.edge, told.windowLengths[0], told.windowLengths.at(-1));
    this.parts = element("span", "dpviz-parts");
    const strip = element("div", "dpviz-strip");
    strip.append(this.sample, this.edge, this.parts);
    this.rows = told.series.map((values) => row(values));
    const series = element("div", "dpviz-rows");
    series.setAttribute("aria-hidden", "true");
    series.append(...this.rows);
    this.secret = handle("dpviz-secret", "Secret value, in its series");
    this.secret.setAttribute("aria-description", "Up and down move it to another series.");
    ranged(this.secret, 1, told.length);
    this.stage = element("div", "dpviz-stage");
    this.stage.append(series, this.secret);
    main.append(strip, this.stage);

    const side = element("div", "dpviz-picture-side");
    this.range = element("input", "dpviz-range");
    const many = told.windowsPerSeries.length - 1;
    Object.assign(this.range, { type: "range", min: 0, max: many, step: 1 });
    this.range.setAttribute("aria-label", "λ: windows per series");
    this.many = element("label", "dpviz-many");
    this.manyWords = element("span", "");
    this.many.append(this.manyWords, this.range);
    this.pause = element("button", "dpviz-picture-button", "Pause");
    this.next = element("button", "dpviz-picture-button", "Next step");
    const buttons = element("div", "dpviz-picture-buttons");
    buttons.append(this.pause, this.next);
    this.share = new Gauge("Steps with the secret", ["0 %", "100 %"]);
    this.cost = new Gauge("Privacy loss", []);
    this.cost.mark(SCALE.map((one) => [place(one), String(one)]));
    const gauges = element("div", "dpviz-gauges");
    this.cost.node.classList.add("dpviz-cost");
    gauges.append(this.share.node, this.cost.node);
    side.append(this.many, buttons, gauges);

    this.words = element("p", "dpviz-picture-words");
    this.words.setAttribute("aria-live", "polite");
    this.node.append(main, side, this.words);
    this.listen();
  }

  listen() {
    const { told } = this;
    const lengths = told.windowLengths;
    dragged(this.edge, this.stage, ({ across }) => {
      const far = (length) => Math.abs(length - across * told.length);
      this.set({ windowLength: nearest(lengths, far) });
    });
    this.edge.addEventListener("keydown", (event) => {
      const at = lengths.indexOf(this.windowLength);
      const to = { ArrowLeft: at - 1, ArrowDown: at - 1, PageDown: at - 1, ArrowRight: at + 1,
        ArrowUp: at + 1, PageUp: at + 1, Home: 0, End: lengths.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.set({ windowLength: lengths[within(to, lengths.length)] });
    });
    dragged(this.secret, this.stage, ({ across, down }) => this.set({
      value: within(Math.floor(across * told.length), told.length),
      series: within(Math.floor(down * this.numSeries), this.numSeries),
    }));
    this.secret.addEventListener("keydown", (event) => {
      const { value, series } = this;
      const to = { ArrowLeft: { value: value - 1 }, ArrowRight: { value: value + 1 },
        PageDown: { value: value - FAR }, PageUp: { value: value + FAR }, Home: { value: 0 },
        End: { value: told.length - 1 }, ArrowUp: { series: series - 1 },
        ArrowDown: { series: series + 1 } }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.set({
        value: within(to.value ?? value, told.length),
        series: within(to.series ?? series, this.numSeries),
      });
    });
    this.range.addEventListener("input", () =>
      this.set({ windowsPerSeries: told.windowsPerSeries[this.range.value] }));
    this.pause.addEventListener("click", () => this.play(!this.isPlaying));
    this.next.addEventListener("click", () => {
      this.play(false);
      this.step();
      this.show();
      this.say();
    });
  }

  // What is set --------------------------------------------------------------------------------

  get context() {
    return this.windowLength - this.told.forecast;
  }

  get seriesPerStep() {
    return this.told.batch / this.windowsPerSeries;
  }

  /** Of the start positions, those whose window holds the secret: from a forecast to a context. */
  get touching() {
    const { value, context, starts, told } = this;
    return Math.min(value + context, starts - 1) - Math.max(value - told.forecast + 1, 0) + 1;
  }

  /** The probability that a step has the secret, and how many of its windows have on average. */
  get expected() {
    const { windowsPerSeries, touching, starts, seriesPerStep, numSeries } = this;
    const used = seriesPerStep / numSeries;
    const missed = (1 - touching / starts) ** windowsPerSeries;
    return { share: used * (1 - missed), windows: used * windowsPerSeries * touching / starts };
  }

  get bound() {
    return this.told.costs.find(({ windowLength, windowsPerSeries }) =>
      windowLength === this.windowLength && windowsPerSeries === this.windowsPerSeries);
  }

  set(changes) {
    if (Object.entries(changes).every(([name, value]) => this[name] === value)) return;
    Object.assign(this, { refused: "" }, changes);
    this.begin();
    clearTimeout(this.rest);
    this.isSet = true;
    this.rest = setTimeout(() => this.say(), REST_MILLISECONDS);
  }

  // What happens -------------------------------------------------------------------------------

  /** Begins to count anew, as what was counted is of other settings. */
  begin() {
    this.steps = this.hits = this.hitWindows = 0;
    this.clear();
    this.pause.hidden = littleMotion.matches;
    this.step();
    this.show();
    this.goOn();
  }

  play(isPlaying) {
    this.isPlaying = isPlaying;
    this.pause.textContent = isPlaying ? "Pause" : "Play";
    this.goOn();
    this.say();
  }

  get moves() {
    return this.isPlaying && !littleMotion.matches;
  }

  goOn() {
    clearTimeout(this.timer);
    if (!this.moves || !this.isSeen || document.hidden) return;
    this.timer = setTimeout(() => {
      this.step();
      this.show();
      this.goOn();
    }, STEP_MILLISECONDS);
  }

  clear() {
    for (const one of this.rows) {
      one.classList.remove("dpviz-drawn");
      one.querySelectorAll(".dpviz-window").forEach((node) => node.remove());
    }
  }

  step() {
    this.clear();
    let hits = 0;
    for (const at of drawn(this.seriesPerStep, this.numSeries)) {
      this.rows[at].classList.add("dpviz-drawn");
      for (let lane = 0; lane < this.windowsPerSeries; lane += 1) {
        const start = Math.floor(Math.random() * this.starts);
        const first = start - this.context;
        const last = start + this.told.forecast - 1;
        const isHit = at === this.series && first <= this.value && this.value <= last;
        hits += isHit;
        this.drop(at, lane, first, last, isHit);
      }
    }
    this.steps += 1;
    this.hits += hits > 0;
    this.hitWindows += hits;
    if (hits > 0 && this.moves) {
      this.secret.firstChild.animate(
        [{ transform: "scale(1)" }, { transform: "scale(1.9)" }, { transform: "scale(1)" }],
        { duration: FLASH_MILLISECONDS, delay: FALL_MILLISECONDS });
    }
  }

  /** Lets a window fall on its series; one that has the secret takes its colour. */
  drop(at, lane, first, last, isHit) {
    const node = element("div", "dpviz-window");
    fit(node, first, last, this.told);
    const many = this.windowsPerSeries;
    const { height, room } = many > 2 ? MANY_WINDOWS : FEW_WINDOWS;
    node.style.top = `${100 * (0.06 + room * lane / many)}%`;
    node.style.height = `${100 * height}%`;
    node.style.setProperty("--tint", 1 / Math.sqrt(many)); // many lie upon each other
    node.append(element("span", "dpviz-forecast"));
    this.rows[at].append(node);
    const hit = () => node.classList.toggle("dpviz-hit", isHit);
    if (!this.moves) {
      hit();
      return;
    }
    const above = this.rows[at].offsetTop + this.rows[at].offsetHeight;
    const falls = [{ transform: `translateY(-${above}px)`, opacity: 0 }, { opacity: 1 }];
    node.animate(falls, { duration: FALL_MILLISECONDS, easing: "ease-in" }).onfinish = hit;
  }

  // What is shown and said ---------------------------------------------------------------------

  show() {
    const { told, windowLength, windowsPerSeries, value, series, context } = this;
    fit(this.sample, 0, windowLength - 1, told);
    this.edge.style.left = `${100 * windowLength / told.length}%`;
    const parts = `${context} context + ${told.forecast} forecast`;
    this.parts.textContent = parts;
    this.parts.style.left = this.edge.style.left;
    tell(this.edge, windowLength, `${windowLength} values: ${parts}`);
    this.secret.style.left = `${100 * (value + 0.5) / told.length}%`;
    const height = 0.5 - AMPLITUDE * told.series[series][value];
    this.secret.style.top = `${100 * (series + height) / this.numSeries}%`;
    tell(this.secret, value + 1,
      `value ${value + 1} of ${told.length}, series ${series + 1} of ${this.numSeries}`);
    this.range.value = told.windowsPerSeries.indexOf(windowsPerSeries);
    this.range.setAttribute("aria-valuetext", String(windowsPerSeries));
    this.range.style.setProperty(
      "--part", `${100 * this.range.value / (told.windowsPerSeries.length - 1)}%`);
    this.manyWords.textContent = `λ, windows per series: ${windowsPerSeries}`;
    const { share, windows } = this.expected;
    this.share.show(0, share, this.hits / this.steps);
    this.share.tell(
      `${percent(share)} expected (bar), ${this.hits} of ${this.steps} so far (line)`,
      `Windows with it per step: ${digits(windows)} expected, ` +
      `${digits(this.hitWindows / this.steps)} so far`);
    const { bound } = this;
    // Never the bound of other settings, while the one of these is still to come.
    this.cost.fill.hidden = !bound?.atMost;
    if (bound?.atMost) this.cost.show(place(bound.lower ?? SCALE[0]), place(bound.upper), null);
    const meaning = bound?.isWeak ? "Hardly any protection" : "Smaller is more private";
    this.cost.tell(
      bound?.atMost ? `ε ≤ ${bound.atMost} at δ = ${told.delta}, ${told.steps}` : "being computed …",
      bound?.atLeast ? `${meaning}; no analysis can promise less than ${bound.atLeast}` : "");
  }

  say() {
    clearTimeout(this.rest);
    // Not at every stop of a drag, which browsers refuse, nor where another page is under way.
    if (this.isSet && location.pathname === this.page) {
      history.replaceState(history.state, "", link(this));
    }
    const text = this.sentences().filter(Boolean).join(" ");
    if (this.words.textContent !== text) this.words.textContent = text;
  }

  sentences() {
    const { told, windowsPerSeries, windowLength, series, value, touching, bound } = this;
    const each = this.seriesPerStep === this.numSeries ? `all ${this.numSeries} series`
      : `${this.seriesPerStep} of ${this.numSeries} series`;
    const windows = counted(windowsPerSeries, "window");
    const { share } = this.expected;
    return [
      this.refused.trim(),
      `Each step draws ${each}, and ${windows} of ${windowLength} values from each.`,
      `The secret, value ${value + 1} of series ${series + 1}, is in ${touching} of ` +
      `${this.starts} possible windows: ${percent(share)} of steps contain it.`,
      touching < windowLength &&
      `Away from the ends it would be in ${windowLength}; ε counts on that.`,
      !this.moves && `So far, ${this.hits} of ${counted(this.steps, "step")} contained it.`,
      !bound && "What that proves is being computed.",
      bound?.atMost && `${told.training} hide ${told.hides}, with ${unbroken(`ε ≤ ${bound.atMost}`)} at ` +
      `${unbroken(`δ = ${told.delta}`)}: an upper bound by ${bound.theorem}.`,
      bound?.isWeak && "That is hardly any protection.",
      bound?.atLeast && `No analysis can promise less than ${unbroken(`ε = ${bound.atLeast}`)} at this δ.`,
    ];
  }
}

/** A number on a track, with its words above and below. */
class Gauge {
  constructor(name, ends) {
    this.node = element("div", "dpviz-gauge");
    this.words = element("span", "dpviz-gauge-words");
    this.track = element("div", "dpviz-track");
    this.track.setAttribute("aria-hidden", "true");
    this.fill = element("div", "dpviz-fill");
    this.counted = element("div", "dpviz-counted");
    this.track.append(this.fill, this.counted);
    this.more = element("span", "dpviz-gauge-more");
    const head = element("div", "dpviz-gauge-head");
    head.append(element("b", "", name), this.words);
    this.node.append(head, this.track, this.more);
    this.mark(ends.map((words, at) => [at, words]));
  }

  mark(places) {
    this.track.append(...places.map(([at, words]) => {
      const mark = element("span", "dpviz-mark", words);
      mark.style.left = `${100 * at}%`;
      mark.style.translate = at === 0 ? "0" : at === 1 ? "-100%" : "-50%";
      return mark;
    }));
  }

  /** Fills the track from one place to another, each from 0 to 1; `counted` has a mark. */
  show(from, to, counted) {
    this.fill.style.left = `${100 * from}%`;
    this.fill.style.width = `${100 * (to - from)}%`;
    this.counted.hidden = counted === null;
    this.counted.style.left = `${100 * (counted ?? 0)}%`;
  }

  tell(words, more) {
    this.words.textContent = words;
    this.more.textContent = more;
  }
}

/** Returns the end of the address that sets the handles as they are: for who reloads or shares. */
function link({ windowLength, windowsPerSeries, series, value }) {
  const set = { window: windowLength, lambda: windowsPerSeries, series: series + 1, value: value + 1 };
  return `#${new URLSearchParams(set)}`;
}

/** Returns what the address sets, and a sentence on what it cannot set. */
function linked({ windowLengths, windowsPerSeries, series, length }) {
  const given = new URLSearchParams(location.hash.slice(1));
  const places = (many) => Array.from({ length: many }, (_, at) => at);
  const offered = {
    windowLength: ["window", windowLengths, windowLengths],
    windowsPerSeries: ["lambda", windowsPerSeries, windowsPerSeries],
    series: ["series", places(series.length), places(series.length).map((at) => at + 1)],
    value: ["value", places(length), places(length).map((at) => at + 1)],
  };
  const set = { refused: "" };
  for (const [field, [name, values, shown]] of Object.entries(offered)) {
    const text = given.get(name);
    const at = shown.findIndex((one) => String(one) === text);
    if (at >= 0) set[field] = values[at];
    else if (text !== null) {
      const allowed = shown.length > MOST_LISTED ? `from 1 to ${shown.length}`
        : `one of ${shown.join(", ")}`;
      set.refused += `${name} = ${text.slice(0, 20)} in the address is not allowed: ` +
        `it must be ${allowed}. `;
    }
  }
  return set;
}

/** Returns where an epsilon is on its scale, which is logarithmic. */
function place(epsilon) {
  const at = Math.log(epsilon / SCALE[0]) / Math.log(SCALE_END / SCALE[0]);
  return Math.min(Math.max(at, 0), 1);
}

const percent = (share) => `${digits(100 * share)}\u00a0%`;
const unbroken = (words) => words.replaceAll(" ", "\u00a0");
const digits = (number) => String(Number(number.toPrecision(3)));
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const within = (at, many) => Math.min(Math.max(at, 0), many - 1);

/** Returns so many different numbers below `many`, all choices equally likely. */
function drawn(count, many) {
  const left = Array.from({ length: many }, (_, at) => at);
  return Array.from({ length: count }, () =>
    left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

/** Lays a window over its values; what it reads before the series, zeros, is not drawn. */
function fit(node, first, last, { length, forecast }) {
  const from = Math.max(first, 0);
  node.classList.toggle("dpviz-cut", first < 0);
  node.style.left = `${100 * from / length}%`;
  node.style.width = `${100 * (last + 1 - from) / length}%`;
  node.style.setProperty("--forecast", `${100 * forecast / (last + 1 - from)}%`);
}

function row(values) {
  const node = element("div", "dpviz-row");
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `0 0 ${values.length} 1`);
  drawing.setAttribute("preserveAspectRatio", "none");
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute("points",
    values.map((value, at) => `${at + 0.5},${(0.5 - AMPLITUDE * value).toFixed(3)}`).join(" "));
  drawing.append(line);
  node.append(drawing);
  return node;
}

/** Returns what is dragged, or moved by keys. */
function handle(className, label, sign = "") {
  const node = element("div", className);
  node.append(element("span", "dpviz-knob", sign));
  node.tabIndex = 0;
  node.setAttribute("role", "slider");
  node.setAttribute("aria-label", label);
  return node;
}

function ranged(node, least, most) {
  node.setAttribute("aria-valuemin", least);
  node.setAttribute("aria-valuemax", most);
}

function tell(node, value, words) {
  node.setAttribute("aria-valuenow", value);
  node.setAttribute("aria-valuetext", words);
}

/** Tells where in `field` a handle is dragged to, each way from 0 to 1. */
function dragged(node, field, moved) {
  const moves = ({ clientX, clientY }) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    moved({ across: (clientX - left) / width, down: (clientY - top) / height });
  };
  makeDraggable(node, { moves });
}

document.head.append(element("style", "", `/* STYLE */`));
