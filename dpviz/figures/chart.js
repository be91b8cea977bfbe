// One Plotly chart that stays in the page while its figure changes. Served by
// static_files.py, and imported by the few lines in chart.py that Streamlit runs at each rerun and
// change of theme; in a report, part of the file.

/* SHARED */

// Below this width of the chart, the buttons get a row of their own and the legend goes under.
const NARROW = 560;
// A narrow chart that is lower than this, as on a phone, shows nothing but what has to be read.
const LOW = 320;
const COMPACT_FONT = 11 / 14; // of the usual size, which in front of a room is larger
const COMPACT_MARGIN = 4;
const COMPACT_BESIDE = 22; // of a legend
const LEAST_FOR_SEVERAL = 650; // for plots over each other, with titles of axes and a legend
const COMPACT_ROW_SHARE = 70; // pixels of height for each row of a legend: the plot keeps most
const TWO_LINES = 340; // a narrow chart's height from which its title may have a second line
// Room for the five buttons beside the title.
const BUTTONS_WIDTH = 210;
const BUTTONS_HEIGHT = 28;
// Tick labels and title of the horizontal axis, which a legend under the plot has to clear.
const AXIS_HEIGHT = 64;
const UNSEEN_AXIS_HEIGHT = 12;
const AXIS_WIDTH = 48; // of the labels and the title beside a plot, about
const COMPACT_TICKS_HEIGHT = 24;
const COMPACT_TITLE_HEIGHT = 16;
// Between two plots over each other: the upper one's ticks and a line of words over the lower one.
const GAP_LINES = 4;
const LOWER_SHARE = 0.35; // of the height, where it is little but not a phone's
const LINE_HEIGHT = 1.3; // Plotly's, of the font size
const DIGITS_HEIGHT = 50; // of a power of ten in which 2 and 5 are named
const LEGEND_LINE = 1.6; // likewise, with the room between entries
// Time to read a sentence and look at a drawing.
const FRAME_MILLISECONDS = 700;
const LEGEND_SYMBOL = 45; // pixels before and after an entry's text
// Lower than this, a chart that scrolls is read more easily than one that is seen whole.
const LEAST_ROOM = 360;
const ROOM_MARGIN = 4;
// By how many columns and rows a key moves a map's mark.
const ARROWS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};
// How much is seen of the lines that were there when a drag began.
const GHOST_OPACITY = 0.35;
// An answer that lasts this long is not one of many that a moving slider passes.
const SETTLED_MILLISECONDS = 1000;

const ROLE = /^(?:role:|var\(--)([\w-]+)(?:@([\d.]+))?\)?$/;
const NOT_LOADED =
  "This chart could not be loaded. Reload the page; an up-to-date browser is needed.";
const NOT_DRAWN = "This chart could not be drawn.";

const charts = new WeakMap();

/** Draws `data`, which is JSON as bytes: [options, figure]. Returns what to run at the end. */
export function drawChart({ parentElement, data }, plotlyFile) {
  let chart = charts.get(parentElement);
  if (chart === undefined) {
    chart = new Chart(parentElement, plotlyFile);
    charts.set(parentElement, chart);
  }
  chart.update(new TextDecoder().decode(data));
  return () => {
    // Streamlit also calls this for a rerun that a later one overtook, while the chart lives on.
    if (!parentElement.isConnected) {
      chart.remove();
      charts.delete(parentElement);
      if (document.querySelector(".dpviz-chart") === null) forgetAnswer();
    }
  };
}

/** Returns a plot's size and margins; nothing before it is drawn. */
const sizeOf = (node) => node._fullLayout && JSON.stringify(node._fullLayout._size);

/** Returns what tells the lines that a click in the legend hides together from all others. */
const entryOf = ({ legendgroup, uid }) => legendgroup || uid;

class Chart {
  constructor(parent, plotlyFile) {
    this.plotlyFile = plotlyFile;
    // Of an earlier version of this file: the server was replaced while the page was open.
    const parts = ".dpviz-chart, .dpviz-chart-message, .dpviz-handle, .dpviz-place";
    const earlier = `:scope > :is(${parts})`;
    parent.querySelectorAll(earlier).forEach((node) => node.remove());
    this.node = element("div", "dpviz-chart");
    this.message = element("p", "dpviz-chart-message", "Loading the chart …");
    this.message.setAttribute("role", "status");
    this.handle = new Handle(this);
    this.place = new Place(this);
    parent.append(this.message, this.handle.place, this.place.ring, this.node);
    this.config = plotlyConfig(this);
    this.zoomed = {};
    this.hidden = new Set();
    this.resized = new ResizeObserver(() => this.request());
    this.resized.observe(this.node);
    this.ended = new AbortController();
    const options = { signal: this.ended.signal };
    document.addEventListener("dpviz-drag", () => this.keepGhost(), options);
    document.addEventListener("dpviz-answered", () => this.place.settle(), options);
  }

  update(text) {
    const [options, figure] = JSON.parse(text);
    // Streamlit may hand over an earlier figure after a later one while the page opens.
    if (options.turn < this.options?.turn) return;
    const isNew = options.turn !== this.options?.turn;
    this.text = text;
    this.options = options;
    if (isNew) this.play(figure.frames);
    this.node.style.height = `${this.options.height}px`;
    this.handle.take(this.options.handle ?? undefined);
    if (isNew) this.place.take(this.options.place ?? undefined);
    tellNewAnswer();
    this.request();
    // At a change of theme the colour behind may come after this, or fade over.
    clearTimeout(this.recolour);
    this.recolour = setTimeout(() => this.request(), SETTLED_MILLISECONDS);
  }

  /** Keeps the lines that are drawn now, to stay behind those of the settings to come. */
  keepGhost() {
    if (!this.leavesGhost) return;
    const lines = (this.shown ?? []).filter(({ mode, visible, type = "scatter" }) =>
      type === "scatter" && visible === undefined && (mode === undefined || mode.includes("lines")));
    this.ghost = lines.map(({ x, y, line, xaxis, yaxis }, at) => ({
      x, y, xaxis, yaxis,
      type: "scatter", mode: "lines", uid: `ghost-${at}`, name: "", showlegend: false,
      hoverinfo: "skip", zorder: -1, opacity: GHOST_OPACITY, line,
    }));
    this.ghostOf = this.text;
  }

  /** Shows a figure's frames one after the other, until the last one or until they are stopped. */
  play(frames) {
    clearTimeout(this.timer);
    this.stopButton?.parentElement.remove();
    this.stopButton = this.frame = undefined;
    if (frames === undefined) return;
    const stop = () => {
      clearTimeout(this.timer);
      this.report("stopped", this.frame);
    };
    const show = (at) => {
      this.frame = at;
      this.request();
      const isLast = at + 1 >= frames.length;
      this.timer = setTimeout(isLast ? stop : () => show(at + 1), FRAME_MILLISECONDS);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      show(frames.length - 1);
      return;
    }
    this.stopButton = stopButton(this.node, stop);
    show(0);
  }

  /** Draws the latest state. Of what arrives during a drawing, only the last is drawn. */
  async request() {
    this.waiting = true;
    if (this.drawing) return;
    this.drawing = true;
    try {
      while (this.waiting) {
        this.waiting = false;
        await this.draw();
      }
      this.message.hidden = true;
    } catch (error) {
      console.error(error);
      this.message.textContent = this.plotly ? NOT_DRAWN : NOT_LOADED;
      this.message.hidden = false;
    } finally {
      this.drawing = false;
    }
  }

  async draw() {
    this.plotly ??= await loadPlotly(this.plotlyFile);
    fitToRoom(this.node);
    // A room's screen may leave less height than was asked for: the page's style knows.
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === 0) return; // in a closed tab or expander; the ResizeObserver tells when it opens
    const theme = readTheme(this.node);
    const state = JSON.stringify([this.text, this.frame, width, height, theme]);
    if (state === this.drawn) return;
    const [, whole] = JSON.parse(this.text);
    const figure = withFrame(whole, this.frame);
    this.alt = figure.alt ?? this.options.alt;
    const isLowered = height < this.options.height; // by the page's style
    const isCompact = width < NARROW && (height < LOW || isLowered);
    this.node.classList.toggle("dpviz-chart-compact", isCompact);
    const { data, layout } = themedFigure(figure, theme, width, height, isCompact);
    this.shown = data;
    this.leavesGhost = layout.meta?.leavesGhost === true;
    this.keepView(data, layout);
    const ghost = this.text === this.ghostOf ? [] : (this.ghost ?? []);
    const drawn = [[...data, ...ghost], layout].map((part) => withSymbols(part));
    const before = sizeOf(this.node);
    await this.plotly.react(this.node, ...drawn, this.config);
    // Plotly places a legend by the margins that were before.
    if (before && before !== sizeOf(this.node)) await this.plotly.redraw(this.node);
    this.drawn = state;
    this.describe();
    this.listen();
    this.showHandles();
    this.lead();
  }

  /** Keeps what the visitor has zoomed and hidden. Plotly would, but for each end of an axis that a
   * figure moves, and for lines that come back, as those that are filled in do. */
  keepView(data, layout) {
    if (layout.uirevision !== this.revision) {
      this.revision = layout.uirevision;
      this.zoomed = {};
      this.hidden.clear();
    } else for (const line of this.node._fullData ?? []) {
      this.hidden[line.visible === "legendonly" ? "add" : "delete"](entryOf(line));
    }
    for (const line of data) if (this.hidden.has(entryOf(line))) line.visible = "legendonly";
    // Where one axis follows another, Plotly itself changes their ranges.
    const isTied = Object.values(layout).some((axis) => axis?.scaleanchor);
    const ranged = isTied ? [] : Object.entries(layout).filter(([, axis]) => axis?.range);
    this.ranges = Object.fromEntries(ranged.map(([name, { range }]) => [name, String(range)]));
    for (const [name, axis] of ranged) {
      const { range } = this.node._fullLayout?.[name] ?? {}; // none where nothing stands on it
      if (this.zoomed[name] && range) axis.range = [...range];
    }
  }

  /** Takes what Plotly says has changed by hand, as in "xaxis.range[0]". */
  noteZoom(changes) {
    for (const name of new Set(Object.keys(changes).map((key) => key.split(".")[0]))) {
      if (this.ranges[name] === undefined) continue;
      const { range, _rangeInitial0: low, _rangeInitial1: high } = this.node._fullLayout[name];
      const isReset = range[0] === low && range[1] === high;
      this.zoomed[name] = !isReset && String(range) !== this.ranges[name];
    }
  }

  /** Has a control show the number that the drawn frame is of, and that of what ends the play. */
  lead() {
    const { control, numbers } = this.options.lead ?? {};
    const isPlayed = this.frame !== undefined;
    if (numbers && (isPlayed || this.isLeading)) window.dpvizShow?.(control, numbers[this.frame ?? 0]);
    this.isLeading = isPlayed;
  }

  showHandles() {
    this.handle.show();
    this.place.show();
  }

  /** Tells the server what the visitor did, through the one queue of all acts (controls.js). */
  report(what, value, how) {
    window.dpvizAct?.(this.nameOf(what), value, how);
  }

  nameOf(what) {
    return `${this.options.name}_${what}`;
  }

  /** Reports which point is clicked, where the page asks for it. */
  listen() {
    if (!this.isFollowed) {
      this.node.on("plotly_afterplot", () => this.showHandles());
      this.node.on("plotly_relayout", (changes) => this.noteZoom(changes));
    }
    this.isFollowed = true;
    if (!this.options.reportsClicks || this.listens) return;
    this.listens = true;
    this.node.classList.add("dpviz-chart-clickable");
    this.node.on("plotly_click", ({ points: [{ x, y, customdata = null }] }) =>
      this.report("clicked", { x, y, customdata }),
    );
  }

  /** Names the drawing for screen readers; the buttons beside it keep their own names. */
  describe() {
    const [drawing, ...overlays] = this.node.querySelectorAll(".main-svg");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", this.alt);
    // An image's parts should be nothing to a screen reader; Firefox gives it the axes' numbers.
    for (const part of [...drawing.children, ...overlays]) part.setAttribute("aria-hidden", "true");
  }

  /** Saves what is on screen, with its zoom, hidden traces and theme. */
  async save(format) {
    const { width, height } = this.node.getBoundingClientRect();
    const scale = format === "png" ? 3 : 1; // sharp on a slide
    const image = await this.plotly.toImage(this.node, { format, width, height, scale });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await imageBlob(image, format));
    link.download = `${this.options.fileName}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  remove() {
    clearTimeout(this.timer);
    clearTimeout(this.recolour);
    this.ended.abort();
    this.resized.disconnect();
    this.plotly?.purge(this.node);
  }
}

/**
 * Lets a pointer drag the level that a chart is about, and the point of a line at this level. The
 * way by the keyboard is the setting's own slider.
 */
class Handle {
  constructor(chart) {
    this.chart = chart;
    this.place = element("div", "dpviz-handle");
    this.place.setAttribute("aria-hidden", "true");
    this.place.hidden = true;
    this.point = element("div", "dpviz-handle-point");
    this.place.append(element("div", "dpviz-handle-level"), this.point);
    makeDraggable(this.place, {
      begins: (event) => this.grasp(event),
      moves: (event) => this.follow(event),
    });
  }

  /** Takes what a run says: a value, the stops, and the line; the pointer's own value goes first. */
  take(spec) {
    this.spec = spec;
    const isHeld = this.place.classList.contains("dpviz-held");
    const isAnswered = !document.documentElement.classList.contains("dpviz-unanswered");
    if (!isHeld && (isAnswered || this.local === spec?.value)) this.local = undefined;
  }

  show() {
    const { xaxis, yaxis, _size: size } = this.chart.node._fullLayout ?? {};
    const stops = window.dpvizStops?.(this.spec?.grid);
    const value = this.local ?? this.spec?.value;
    const top = stops ? yaxis.d2p(value) : NaN;
    this.place.hidden = !(top >= 0 && top <= yaxis?._length); // not a number, too
    if (this.place.hidden) return;
    this.stops = stops;
    const left = xaxis.d2p(this.placeOnLine(value));
    const isOnLine = left >= 0 && left <= xaxis._length;
    const pixels = { top: yaxis._offset + top, left: xaxis._offset, width: size.w };
    for (const [name, length] of Object.entries(pixels)) this.place.style[name] = `${length}px`;
    this.point.hidden = !isOnLine;
    if (isOnLine) this.point.style.left = `${left}px`;
  }

  /** Returns where the line falls to a value, as far as it is drawn. */
  placeOnLine(value) {
    const line = this.chart.shown.find(({ uid }) => uid === this.spec.line);
    const at = line?.y.findIndex((y) => y === null || y <= value) ?? -1;
    if (at < 0) return NaN;
    const [above, below] = [line.y[at - 1], line.y[at]].map(Math.log);
    const part = (above - Math.log(value)) / (above - below);
    const isBetween = part >= 0 && part <= 1; // not where the line begins or ends
    return isBetween ? line.x[at - 1] ** (1 - part) * line.x[at] ** part : line.x[at];
  }

  grasp(event) {
    event.preventDefault(); // no text is selected
    window.dpvizHold(this.chart.nameOf("dragged"));
    const box = this.chart.node.getBoundingClientRect();
    const { left, top } = this.place.getBoundingClientRect();
    this.holdsPoint = event.target === this.point;
    const beside = this.holdsPoint ? parseFloat(this.point.style.left) : 0;
    this.shift = {
      x: event.clientX - left - beside + box.left, y: event.clientY - top + box.top,
    };
  }

  follow({ clientX, clientY }) {
    const { xaxis, yaxis } = this.chart.node._fullLayout;
    const x = clientX - this.shift.x - xaxis._offset;
    const y = clientY - this.shift.y - yaxis._offset;
    this.drag(this.holdsPoint ? this.nearestOnLine(x, y) : this.nearestLevel(y));
  }

  /** Returns the stop whose level is nearest to a height in pixels. */
  nearestLevel(y) {
    const { yaxis } = this.chart.node._fullLayout;
    return nearest(this.stops, (stop) => Math.abs(yaxis.d2p(stop) - y));
  }

  /** Returns the stop whose point on the line is nearest: a pull to either side moves it, too. */
  nearestOnLine(x, y) {
    const { xaxis, yaxis } = this.chart.node._fullLayout;
    const away = (stop) =>
      Math.hypot(xaxis.d2p(this.placeOnLine(stop)) - x, yaxis.d2p(stop) - y);
    const onLine = this.stops.filter((stop) => away(stop) < Infinity); // as far as it is drawn
    return onLine.length ? nearest(onLine, away) : this.local ?? this.spec.value;
  }

  /** Moves to a stop. */
  drag(stop) {
    if (stop === (this.local ?? this.spec.value)) return;
    this.local = stop;
    this.show();
    this.chart.report("dragged", String(stop), { isLast: false, joins: true });
  }
}

/**
 * Lets a pointer drag the mark of a map to another field, or arrow keys move it. To let go of it
 * there, or Enter, is to click that field; what the field says is shown on the way.
 */
class Place {
  constructor(chart) {
    this.chart = chart;
    this.ring = element("div", "dpviz-place");
    this.ring.tabIndex = 0;
    this.ring.setAttribute("role", "button");
    this.ring.hidden = true;
    makeDraggable(this.ring, {
      begins: (event) => {
        event.preventDefault(); // no text is selected
        this.isHeld = true;
      },
      moves: (event) => this.drag(event),
      ends: (isLetGo) => {
        this.isHeld = false;
        this.drop(isLetGo);
      },
    });
    this.ring.addEventListener("keydown", (event) => this.press(event));
    this.ring.addEventListener("blur", () => this.isHeld || this.drop(false));
  }

  /** Takes the mark's column and row; what is held stays where the pointer is. */
  take(own) {
    this.own = own;
    if (!this.isHeld) this.local = undefined;
  }

  /** Goes back to the own field once what was taken is answered: it may have been refused. */
  settle() {
    if (!this.isTaken || this.isHeld) return;
    this.isTaken = false;
    this.local = undefined;
    this.show();
  }

  show() {
    const { xaxis, yaxis } = this.chart.node._fullLayout ?? {};
    const [column, row] = this.local ?? this.own ?? [];
    const [left, top] = this.own ? [xaxis?.d2p(column), yaxis?.d2p(row)] : [];
    this.ring.hidden = !(left >= 0 && left <= xaxis._length && top >= 0 && top <= yaxis._length);
    if (this.ring.hidden) return;
    this.ring.style.left = `${xaxis._offset + left}px`;
    this.ring.style.top = `${yaxis._offset + top}px`;
    const field = this.map.text[row][column].replace(/<[^>]*>/g, " ");
    this.ring.setAttribute("aria-label", `${field}. Arrow keys move it, Enter takes the field`);
  }

  press(event) {
    const [across, up] = ARROWS[event.key] ?? [0, 0];
    if (across || up) {
      const [column, row] = this.local ?? this.own;
      this.moveTo(column + across, row + up);
    } else if (["Enter", " ", "Escape"].includes(event.key)) {
      this.drop(event.key !== "Escape");
    } else {
      return;
    }
    event.preventDefault(); // the page is not scrolled
  }

  get map() {
    return this.chart.shown.find(({ type }) => type === "heatmap");
  }

  drag({ clientX, clientY }) {
    const { xaxis, yaxis } = this.chart.node._fullLayout;
    const box = this.chart.node.getBoundingClientRect();
    this.moveTo(
      xaxis.p2d(clientX - box.left - xaxis._offset), yaxis.p2d(clientY - box.top - yaxis._offset),
    );
  }

  /** Moves to the nearest field. */
  moveTo(column, row) {
    const { x, y } = this.map;
    const within = (value, last) => Math.min(Math.max(Math.round(value), 0), last);
    this.local = [within(column, x.length - 1), within(row, y.length - 1)];
    this.isTaken = false;
    this.show();
    this.tellPlotly("mousemove");
  }

  /** Shows, or no longer, what the field says: the ring keeps the pointer's own moves from it. */
  tellPlotly(type) {
    const { left, top, width, height } = this.ring.getBoundingClientRect();
    const [clientX, clientY] = [left + width / 2, top + height / 2];
    const moved = new MouseEvent(type, { clientX, clientY, bubbles: true, view: window });
    this.chart.node.querySelector(".nsewdrag").dispatchEvent(moved);
  }

  drop(isTaken) {
    const [column, row] = this.local ?? this.own;
    const isMoved = String(this.local ?? this.own) !== String(this.own);
    this.tellPlotly("mouseout");
    if (isTaken && isMoved) {
      const customdata = this.map.customdata[row][column];
      this.isTaken = true;
      this.chart.report("clicked", { x: column, y: row, customdata });
    } else {
      this.local = undefined;
      this.show();
    }
  }
}

/** Makes a chart end over the bar of a page that is shown to a room, where that leaves enough. */
function fitToRoom(node) {
  const bar = document.querySelector(".st-key-presenter");
  const scrolled = document.querySelector(".stMain")?.scrollTop ?? 0;
  const top = node.getBoundingClientRect().top + scrolled;
  const room = bar === null ? 0 : bar.getBoundingClientRect().top - top - ROOM_MARGIN;
  node.style.maxHeight = room < LEAST_ROOM ? "" : `${room}px`;
}

/** Returns the image's bytes. A legend's clip would cut its text off in another font than ours. */
async function imageBlob(image, format) {
  const response = await fetch(image);
  if (format !== "svg") return response.blob();
  const drawing = await response.text();
  const unclipped = drawing.replace(/ clip-path="url\([^)"]*legend[^)"]*\)"/g, "");
  return new Blob([unclipped], { type: "image/svg+xml" });
}

// For screen readers ------------------------------------------------------------------------

const COMPUTING = "Still computing …";
let toldAnswer;
let silence;
let status;

/** Says the page's answer where it is another one, and once that it takes longer. */
function tellNewAnswer() {
  const answer = document.querySelector(".st-key-answer");
  if (answer === null) return; // in a report nothing changes
  status ??= newStatus(); // in time: what begins with its text is not read out
  clearTimeout(silence);
  silence = setTimeout(() => {
    if (document.querySelector("[data-testid=stProgress]")) {
      say(COMPUTING);
      tellNewAnswer();
      return;
    }
    const place = location.pathname;
    const words = document.querySelector(".st-key-answer")?.innerText.trim();
    const waited = status.textContent === COMPUTING;
    // Of a page that was just opened everything is new: who reads it begins where they like.
    if (toldAnswer?.place !== place) say("");
    const isNews = toldAnswer?.place === place && toldAnswer.words !== words;
    toldAnswer = { place, words };
    if (isNews || waited) say(words);
  }, SETTLED_MILLISECONDS);
}

/** Leaves no words of an answer that is gone, for those who read on to the page's end. */
function forgetAnswer() {
  clearTimeout(silence);
  if (status) say("");
}

function newStatus() {
  const node = element("div", "dpviz-said");
  node.setAttribute("role", "status");
  document.body.append(node);
  return node;
}

function say(words) {
  if (status.textContent !== words) status.textContent = words;
}

// plotly.js, once per page ------------------------------------------------------------------

let plotly;

function loadPlotly(file) {
  const address = new URL(file, import.meta.url);
  plotly ??= runPackedScript(address)
    // The browser may have kept half of a file that is whole on the server by now.
    .catch(() => runPackedScript(address, { cache: "reload" }))
    .catch((error) => {
      plotly = undefined; // the next drawing tries again
      throw error;
    });
  return plotly;
}

async function runPackedScript(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const packed = await response.blob();
  const start = new Uint8Array(await packed.slice(0, 2).arrayBuffer());
  const isPacked = start[0] === 0x1f && start[1] === 0x8b; // a proxy may have unpacked it
  const stream = isPacked
    ? packed.stream().pipeThrough(new DecompressionStream("gzip"))
    : packed.stream();
  const headers = { "Content-Type": "text/javascript" };
  const source = await new Response(stream, { headers }).blob();
  const script = document.createElement("script");
  script.src = URL.createObjectURL(source);
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} could not be run`));
    document.head.append(script);
  });
  URL.revokeObjectURL(script.src);
  if (!window.Plotly) throw new Error(`${address} is not whole`);
  return window.Plotly;
}

// The theme ---------------------------------------------------------------------------------

function readTheme(node) {
  const style = getComputedStyle(node);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const background = channels(colorBehind(node) ?? read("background-color"), node);
  const text = channels(read("text-color"), node);
  return {
    mode: luminance(background) < 0.5 ? "dark" : "light",
    font: read("font"),
    fontSize: 0.875 * parseFloat(style.fontSize),
    background: withAlpha(background, 1),
    surface: withAlpha(channels(read("secondary-background-color"), node), 1),
    accent: withAlpha(channels(read("primary-color"), node), 1),
    text: withAlpha(text, 1),
    muted: withAlpha(text, 0.8),
    line: withAlpha(text, 0.5),
    grid: withAlpha(text, 0.12),
  };
}

/** Finds what shows through the chart: the page's, the sidebar's or a dialog's background. */
function colorBehind(node) {
  for (let element = node.parentElement; element; element = element.parentElement) {
    const color = getComputedStyle(element).backgroundColor;
    if (!color.includes("rgba") && color !== "transparent") return color;
  }
  return undefined;
}

/** Reads any CSS colour as [red, green, blue], 0 to 255: the browser does the parsing. */
function channels(color, node) {
  const probe = document.createElement("span");
  probe.style.color = color;
  node.append(probe);
  const rgb = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return rgb;
}

const withAlpha = ([red, green, blue], alpha) => `rgba(${red},${green},${blue},${alpha})`;

const luminance = ([red, green, blue]) => (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;

function withPalette(value, palette, theme) {
  if (typeof value === "string") {
    const [, name, alpha] = ROLE.exec(value) ?? [];
    if (name === undefined) return value;
    if (palette[name] === undefined) console.error(`The figure's palette has no role ${name}.`);
    const color = palette[name] ?? theme.text;
    return alpha === undefined ? color : withAlpha(channels(color, document.body), alpha);
  }
  if (Array.isArray(value)) {
    // Long and without colours; a step of a colour scale is a number and a colour.
    if (typeof value[0] === "number" && typeof value.at(-1) === "number") return value;
    return value.map((item) => withPalette(item, palette, theme));
  }
  if (value === null || typeof value !== "object") return value;
  const replaced = ([name, item]) => [name, withPalette(item, palette, theme)];
  return Object.fromEntries(Object.entries(value).map(replaced));
}

// Symbols -----------------------------------------------------------------------------------

const SYMBOLS = /SYMBOLS/gu;
const TEXTS = ["name", "text", "ticktext"];

/** Returns a part of a figure with the symbols of its texts set as in formulas. */
function withSymbols(value, isText = false) {
  if (typeof value === "string") return isText ? value.replace(SYMBOLS, asFormula) : value;
  if (Array.isArray(value)) {
    const isNested = isText || typeof value[0] === "object";
    return isNested ? value.map((item) => withSymbols(item, isText)) : value;
  }
  if (value === null || typeof value !== "object") return value;
  const set = ([name, item]) => [name, withSymbols(item, TEXTS.includes(name))];
  return Object.fromEntries(Object.entries(value).map(set));
}

function asFormula(_, letter, index, alone) {
  return `<i>${letter ?? alone}</i>${index ? `<sub>${index}</sub>` : ""}`;
}

// The figure --------------------------------------------------------------------------------

/** Lays a frame's traces over those of the same uid, and its layout over the figure's. */
function withFrame(figure, at) {
  const frame = figure.frames?.[at];
  if (frame === undefined) return figure;
  const changed = Object.fromEntries(frame.data.map((trace) => [trace.uid, trace]));
  return {
    data: figure.data.map((trace) => ({ ...trace, ...changed[trace.uid] })),
    layout: { ...figure.layout, ...frame.layout },
    alt: frame.alt,
  };
}

function themedFigure(figure, pageTheme, width, height, isCompact) {
  const fontSize = (isCompact ? COMPACT_FONT : 1) * pageTheme.fontSize;
  const theme = { ...pageTheme, fontSize };
  const palette = figure.layout.meta?.palette?.[theme.mode] ?? {};
  const themed = withPalette(figure, palette, theme);
  const isShort = isCompact || hasTooLittleHeight(themed.layout, height);
  const data = isShort ? themed.data.map(withFewWords) : themed.data;
  const layout = isShort ? compactLayout(themed.layout, theme, height) : themed.layout;
  const legendIsUnder = width < NARROW || layout.meta?.legend === "under";
  const colorway = Object.values(palette);
  const template = themeTemplate(theme, width, colorway, legendIsUnder, isCompact);
  const titleLines = !isCompact ? Infinity : height < TWO_LINES ? 1 : 2;
  const title = themedTitle(layout.title, template.layout.title, width, titleLines);
  const onTop = layout.annotations?.filter(({ yref, y }) => yref === "paper" && y >= 1) ?? [];
  const linesOnTop = Math.max(0, ...onTop.map(({ yshift = 0 }) => 1.5 * theme.fontSize + yshift));
  const isBeside = layout.annotations?.some(isBesidePlot);
  const { margin, legend } = template.layout;
  margin.t = title.bottom + linesOnTop;
  if (isBeside) margin.r = Math.max(margin.r, 1.6 * theme.fontSize);
  let isCrowded = false;
  if (legendIsUnder) {
    const font = `${fontSize}px ${theme.font}`;
    const rows = legendRows(data, layout, font, width, isCompact);
    const axisHeight = layout.xaxis?.visible === false ? UNSEEN_AXIS_HEIGHT
      : isCompact ? compactAxisHeight(layout) : AXIS_HEIGHT;
    const mostRows = Math.floor(height / COMPACT_ROW_SHARE);
    isCrowded = isShort && (rows > mostRows || rows === 0);
    margin.b = axisHeight + (isCrowded ? 0 : rows) * LEGEND_LINE * fontSize;
    // In parts of the plot's height, from its lower edge.
    legend.y = -axisHeight / Math.max(height - margin.t - margin.b, AXIS_HEIGHT);
  }
  const size = { x: width - AXIS_WIDTH - margin.l - margin.r, y: height - margin.t - margin.b };
  const gap = GAP_LINES * theme.fontSize / size.y;
  const shared = isShort && sharedHeight(layout, gap, isCompact ? 0.5 : LOWER_SHARE);
  const placed = { ...layout, ...withRoomForDigits(layout, data, size.y), ...shared };
  return {
    data,
    layout: {
      // Plotly keeps zoom and hidden traces for as long as this is the same.
      uirevision: "kept",
      ...placed,
      ...(placed.annotations && { annotations: withRoom(placed, size, theme) }),
      title: title.title,
      // A narrow plot has no corner free: there the room is under it.
      ...(width < NARROW && layout.legend && { legend: withoutPlace(layout.legend) }),
      ...(isCrowded && { showlegend: false }),
      template,
      width,
      height,
      autosize: false,
    },
  };
}

const isBesidePlot = ({ xref, x }) => xref === "paper" && x >= 1;

const isAbovePlot = ({ xref = "x", yref, y, yshift = 0 }) => (
  xref === "x" && yref === "paper" && y >= 1 && yshift === 0
);

const isValueOfColumn = ({ name }) => name === "value";

/**
 * Leaves out words beside and above a plot, and values over each other in a column, where others
 * are: the longer ones stay.
 */
function withRoom(layout, size, theme) {
  const widthOf = widthsIn(`${theme.fontSize}px ${theme.font}`);
  const length = (note) => widthOf(note.text) + theme.fontSize / 2;
  const height = (note) => LINE_HEIGHT * note.font.size;
  const kinds = [[isBesidePlot, "y", length], [isAbovePlot, "x", length]];
  const columns = new Set(layout.annotations.filter(isValueOfColumn).map(({ x }) => x));
  for (const x of columns) kinds.push([(note) => isValueOfColumn(note) && note.x === x, "y", height]);
  const leftOut = kinds.flatMap(([isOne, axis, extent]) => {
    const [low, high] = layout[`${axis}axis`]?.range ?? [];
    if (low === undefined) return [];
    const overlaps = (one, other) => size[axis] * Math.abs((one[axis] - other[axis]) / (high - low))
      < (extent(one) + extent(other)) / 2;
    const words = layout.annotations.filter(isOne).sort((one, other) => extent(other) - extent(one));
    const kept = [];
    return words.filter((one) => kept.some((other) => overlaps(one, other)) || !kept.push(one));
  });
  return layout.annotations.filter((one) => !leftOut.includes(one));
}

/** Names powers of ten alone where the digits between them would lie on each other. */
function withRoomForDigits({ yaxis }, data, height) {
  if (yaxis?.dtick !== "D2") return {};
  const drawn = data.flatMap(({ y }) => y).filter((value) => value > 0);
  const powers = Math.log10(Math.max(...drawn) / Math.min(...drawn));
  return height < DIGITS_HEIGHT * powers ? { yaxis: { ...yaxis, dtick: 1 } } : {};
}

// On a phone ----------------------------------------------------------------------------------

const AXIS = /^[xy]axis\d*$/;

/** Names a line as a figure wants it where there is little room; shades have numbers alone. */
function withFewWords(trace) {
  if (trace.meta?.short) return { ...trace, name: trace.meta.short };
  if (!trace.colorbar?.ticktext) return trace;
  const ticktext = trace.colorbar.ticktext.map((text) => text.split(" ")[0]);
  return { ...trace, colorbar: { ...trace.colorbar, ticktext } };
}

/** Shortens the titles of axes: what is in brackets is for larger charts. */
function compactLayout(layout, theme, height) {
  const widthOf = widthsIn(`${theme.fontSize}px ${theme.font}`);
  const short = ([name, part]) => {
    if (name === "legend" && part.title) {
      return [name, { ...part, title: { ...part.title, font: { size: theme.fontSize } } }];
    }
    if (!AXIS.test(name) || !part.title?.text) return [name, part];
    const other = `yaxis${name.slice(5)}`; // two axes beside each other share one
    const upright = layout[other] ?? layout[part.anchor?.replace("y", "yaxis")];
    const isOverAnother = upright?.domain?.[0] > 0;
    if (name.startsWith("x") && isOverAnother) return [name, { ...part, title: {} }];
    const text = part.title.text.replace(/ \([^)]*\)$/, "");
    const isTooLong = name.startsWith("y") && widthOf(text) > height / 2;
    return [name, { ...part, title: { ...part.title, text: isTooLong ? "" : text } }];
  };
  return Object.fromEntries(Object.entries(layout).map(short));
}

/** Gives the lower one of two plots a part of the height, and takes the words over it along. */
function sharedHeight(layout, mostGap, part) {
  const plots = Object.entries(layout).filter(([name, { domain }]) =>
    name.startsWith("yaxis") && domain);
  if (plots.length !== 2) return {};
  const [[lower, below], [upper, above]] = plots.sort(([, one], [, other]) =>
    one.domain[0] - other.domain[0]);
  const gap = Math.min(above.domain[0] - below.domain[1], mostGap);
  const top = part * (1 - gap);
  const moved = (note) => (
    note.yref === "paper" && note.y === below.domain[1] ? { ...note, y: top } : note
  );
  return {
    [lower]: { ...below, domain: [0, top] },
    [upper]: { ...above, domain: [top + gap, 1] },
    ...(layout.annotations && { annotations: layout.annotations.map(moved) }),
  };
}

/** Returns whether a room's screen or a lesson's leaves plots over each other little height. */
function hasTooLittleHeight(layout, height) {
  const isOverAnother = ([name, { domain }]) => name.startsWith("yaxis") && domain?.[0] > 0;
  const hasOneScreen = document.querySelector(".st-key-presenter, .st-key-instruction p") !== null;
  return hasOneScreen && height < LEAST_FOR_SEVERAL
    && Object.entries(layout).some(isOverAnother);
}

function compactAxisHeight(layout) {
  const axes = Object.entries(layout).filter(([name]) => name.startsWith("xaxis"));
  const isTitled = axes.some(([, { title }]) => title?.text);
  const isDated = axes.some(([, { type }]) => type === "date"); // the year is a line of its own
  const words = axes.flatMap(([, { ticktext }]) => ticktext ?? []);
  const more = Math.max(0, ...words.map((one) => String(one).split("<br>").length - 1));
  const lines = Math.max(isTitled || isDated ? 1 : 0, more);
  return COMPACT_TICKS_HEIGHT + lines * COMPACT_TITLE_HEIGHT;
}

/** Leaves the place of a legend to the template. */
function withoutPlace({ x, y, xanchor, yanchor, ...legend }) {
  return legend;
}

/** What a figure leaves open. Values that it sets itself win over a template's. */
function themeTemplate(theme, width, colorway, legendIsUnder, isCompact) {
  const narrow = width < NARROW;
  const text = { family: theme.font, color: theme.text };
  const axis = {
    automargin: true,
    color: theme.muted,
    gridcolor: theme.grid,
    linecolor: theme.line,
    minor: { gridcolor: theme.grid, tickcolor: theme.line },
    showline: true,
    spikecolor: theme.line,
    spikethickness: 1,
    tickcolor: theme.line,
    ticks: "outside",
    title: {
      font: { color: theme.text, ...(isCompact && { size: theme.fontSize }) },
      standoff: isCompact ? COMPACT_MARGIN : 12,
    },
    zeroline: false,
  };
  // Left of the plot, Plotly gives a legend the room under the axis's labels, too.
  const legendUnder = { orientation: "h", x: isCompact ? -1e-3 : 0, yanchor: "top" };
  return {
    layout: {
      annotationdefaults: { arrowcolor: theme.line, font: { color: theme.text } },
      ...(colorway.length > 0 && { colorway }),
      // On a touch screen, a finger that drags should scroll the page.
      dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
      font: { ...text, size: theme.fontSize },
      hoverlabel: { bgcolor: theme.surface, bordercolor: theme.line, font: text },
      legend: { bgcolor: "rgba(0,0,0,0)", ...(legendIsUnder && legendUnder) },
      margin: isCompact ? { r: 10, b: 4, l: 4 } : { r: 16, b: 8, l: 8 },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: theme.muted, activecolor: theme.accent },
      // Not transparent: Plotly would take the page for white, and a saved image would have none.
      paper_bgcolor: theme.background,
      plot_bgcolor: "rgba(0,0,0,0)",
      shapedefaults: { line: { color: theme.line } },
      title: {
        font: { ...text, size: 1.2 * theme.fontSize, weight: 600 },
        pad: { t: isCompact ? COMPACT_MARGIN : narrow ? BUTTONS_HEIGHT + 14 : 10 },
        x: 0,
        xanchor: "left",
        y: 1,
        yanchor: "top",
        yref: "container",
      },
      xaxis: { ...axis, ticklabeloverflow: "allow" }, // the last label makes room for itself
      yaxis: axis,
    },
  };
}

/**
 * Breaks the title into lines beside or under the buttons, and tells where the plot may begin. What
 * is in brackets goes first where they are more than may be, then all of it.
 */
function themedTitle(title, template, width, mostLines) {
  const font = { ...template.font, ...title?.font };
  const room = width < NARROW ? width : width - BUTTONS_WIDTH;
  const whole = title?.text ?? "";
  const lengths = [whole, whole.replace(/ \([^)]*\)/, ""), ""].map((one) => wrapped(one, font, room));
  const text = lengths.find((one) => one.split("<br>").length <= mostLines);
  const lines = text === "" ? 0 : text.split("<br>").length;
  // Plotly lifts a title of several lines by half a line each.
  const pad = { ...template.pad, t: template.pad.t + (Math.max(lines, 1) - 1) * 0.5 * font.size };
  const placed = { ...title, text, pad };
  const taken = lines * LINE_HEIGHT * font.size;
  if (mostLines < Infinity) {
    return { title: placed, bottom: COMPACT_MARGIN + (lines && taken + COMPACT_MARGIN) };
  }
  return { title: placed, bottom: Math.max(template.pad.t + taken + 12, BUTTONS_HEIGHT + 8) };
}

/** Tells how many rows a legend under the plot takes. */
function legendRows(data, layout, font, width, isCompact) {
  const widthOf = widthsIn(font);
  const names = data.filter(({ name, showlegend }) => name && showlegend !== false);
  if (names.length < 2 && (isCompact || layout.showlegend !== true)) return 0;
  const room = width - (isCompact ? COMPACT_BESIDE : 80);
  const entries = names.map(({ name }) => widthOf(untagged(name)) + LEGEND_SYMBOL);
  // Plotly makes all columns as wide as the widest entry needs, where one row is not enough.
  const isOne = entries.reduce((sum, entry) => sum + entry, 0) <= room;
  const columns = isOne ? names.length : Math.floor(room / Math.max(...entries));
  const titled = layout.legend?.title?.text ? 1 : 0;
  return titled + Math.ceil(names.length / Math.max(columns, 1));
}

/** Returns what is read of a text with tags, such as those of a symbol's index. */
function untagged(text) {
  return text.replace(/<[^>]*>/g, "");
}

// What stays on one line of a title: a word, and a comparison such as "ε ≤ 2".
const UNBROKEN = /(?:<[^>]*>|[≤≥=]\s|\s(?=[≤≥=])|[^\s<])+/g;

/** Breaks a text into lines, because Plotly does not. A tag belongs to the word beside it. */
function wrapped(text, font, width) {
  const widthOf = widthsIn(`${font.weight} ${font.size}px ${font.family}`);
  const fits = (line) => widthOf(untagged(line)) <= width;
  const lines = text.split("<br>").flatMap((paragraph) =>
    (paragraph.match(UNBROKEN) ?? [""]).reduce((done, word) => {
      const longer = done.length > 0 ? `${done.at(-1)} ${word}` : word;
      return done.length > 0 && fits(longer) ? [...done.slice(0, -1), longer] : [...done, word];
    }, []),
  );
  return lines.join("<br>");
}

/** Returns a function that tells how many pixels wide a text is in a font. */
function widthsIn(font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return (text) => pen.measureText(text).width;
}

// The buttons -------------------------------------------------------------------------------

/** Plotly compares configurations at each drawing and starts afresh if lists in lists differ. */
function plotlyConfig(chart) {
  const save = (format, title) => ({
    name: `save-${format}`,
    title,
    icon: { svg: lettersWithArrow(format.toUpperCase()) },
    click: () => chart.save(format),
  });
  return {
    displayModeBar: true,
    displaylogo: false,
    doubleClick: "reset",
    locales: {
      en: {
        dictionary: {
          "Double-click to zoom back out": "Double-click to see all again",
          Pan: "Drag to move",
          "Reset axes": "Show all again",
          Zoom: "Drag to zoom in",
        },
      },
    },
    modeBarButtonsToAdd: [
      save("svg", "Save as SVG, for print"),
      save("png", "Save as PNG, for slides"),
    ],
    modeBarButtonsToRemove: [
      "toImage",
      "select2d",
      "lasso2d",
      "zoomIn2d",
      "zoomOut2d",
      "autoScale2d",
    ],
    responsive: false,
    scrollZoom: false,
    showSendToCloud: false, // on by default, and would upload the figure
  };
}

function lettersWithArrow(letters) {
  return `<svg xmlns="http://www.w3.org/2000/svg" class="icon dpviz-save" viewBox="0 0 46 16">
    <path d="M5 1h2v7h3l-4 4-4-4h3zM1 13h10v2H1z"/>
    <text x="15" y="13.5">${letters}</text></svg>`;
}

/** Puts a button over a chart that plays, and the focus on it: what started it can do nothing. */
function stopButton(node, stop) {
  const place = element("div", "dpviz-chart-playing");
  const button = element("button", "", "■ Stop");
  button.addEventListener("click", stop, { once: true });
  place.append(button);
  node.before(place);
  button.focus({ preventScroll: true });
  return button;
}

document.head.append(element("style", "", `
  .dpviz-chart-clickable .nsewdrag { cursor: pointer !important; }
  /* Lines run behind words. */
  .dpviz-chart :is(.textpoint, .annotation) text {
    paint-order: stroke; stroke: var(--st-background-color); stroke-width: 3px;
    stroke-linejoin: round;
  }
  .dpviz-chart .modebar .modebar-btn { height: 24px; }
  .dpviz-chart .modebar-btn:focus-visible { outline: 2px solid var(--st-text-color) !important; }
  .dpviz-chart-compact .modebar-container {
    top: calc(100% - 16px) !important; opacity: 0; pointer-events: none;
  }
  .dpviz-chart-compact:is(:hover, :focus-within) .modebar-container { opacity: 1; }
  .dpviz-chart-compact .modebar { top: 0; background: var(--st-background-color); }
  .dpviz-chart .dpviz-save { width: 46px; height: 16px; }
  .dpviz-chart .dpviz-save text { fill: var(--st-text-color); font: 600 13px var(--st-font); }
  .dpviz-handle { position: absolute; z-index: 1; height: 0; cursor: ns-resize; }
  .dpviz-handle[hidden] { display: none; }
  .dpviz-handle > * { position: absolute; touch-action: none; }
  .dpviz-handle-level { inset: -6px 0; }
  .dpviz-handle-level::after {
    content: ""; position: absolute; inset: 5px 0; background: var(--st-primary-color); opacity: 0;
  }
  .dpviz-handle:is(:hover, .dpviz-held) .dpviz-handle-level::after { opacity: 1; }
  .dpviz-handle-point {
    cursor: grab;
    width: 18px; height: 18px; margin: -9px; border-radius: 50%;
    border: 2px solid var(--st-primary-color);
  }
  .dpviz-handle-point::after { content: ""; position: absolute; inset: -10px; border-radius: 50%; }
  .dpviz-handle:is(:hover, .dpviz-held) .dpviz-handle-point { border-width: 4px; }
  .dpviz-place {
    position: absolute; z-index: 1; width: 22px; height: 22px; margin: -11px; cursor: grab;
    border: 2px solid var(--st-text-color); border-radius: 50%; touch-action: none;
  }
  .dpviz-place[hidden] { display: none; }
  .dpviz-place::after { content: ""; position: absolute; inset: -10px; border-radius: 50%; }
  .dpviz-place:hover { border-width: 4px; }
  .dpviz-place:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
  .dpviz-place.dpviz-held { border-width: 4px; cursor: grabbing; }
  .dpviz-chart-playing { position: relative; z-index: 2; height: 0; }
  .dpviz-chart-playing button {
    position: absolute; right: 0.5rem; top: 0; padding: 0.1rem 0.9rem; cursor: pointer;
    font: inherit; color: var(--st-text-color); background: var(--st-background-color);
    border: 1px solid var(--st-text-color); border-radius: 0.375rem;
  }
  .dpviz-chart-playing button:focus-visible { outline: 3px solid var(--st-primary-color); }
  .dpviz-said {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
  .dpviz-chart-message { position: absolute; margin: 1rem 0; opacity: 0.7; }
`));
