// Everything is drawn from the data of the page. Text becomes text nodes, never
// markup, for names and messages are whatever engines say.
const data = JSON.parse(document.getElementById("data").textContent);

const COLORS = 8;
const DASHES = ["", "7 3", "2 3"]; // distinguish engines that share a color

const colorClass = (engine) => "s" + (engine % COLORS);
const dash = (engine) => DASHES[Math.floor(engine / COLORS) % DASHES.length];
const nameOf = (engine) => data.engines[engine].name;

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const minus = (text) => String(text).replace("-", "\u2212");
const fixed = (x, digits) => minus(x.toFixed(digits));
const signed = (x, digits) => (x > 0 ? "+" : "") + fixed(x, digits);

// seconds writes milliseconds for people.
function seconds(ms) {
  if (ms >= 60000) {
    const minutes = Math.floor(ms / 60000);
    return minutes + ":" + ((ms - minutes * 60000) / 1000).toFixed(1).padStart(4, "0");
  }
  return (ms / 1000).toFixed(ms < 10000 ? 3 : 1) + " s";
}

// count writes a large number with a unit.
function count(n) {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (n >= size) return (n / size).toFixed(n < 10 * size ? 1 : 0) + unit;
  }
  return String(Math.round(n));
}

// ticks returns about n round numbers from low to high.
function ticks(low, high, n) {
  const raw = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) list.push(k * step);
  return list;
}

/* Charts */

// range returns the least and greatest value of a chart. The first part of each
// series is left out, for few games say wild things.
function range(chart) {
  const values = [...(chart.include || [])];
  for (const line of chart.series) {
    const from = Math.floor(line.y.length * (chart.skip || 0));
    for (let i = from; i < line.y.length; i++) {
      for (const y of [line.y[i], line.lo && line.lo[i], line.hi && line.hi[i]]) {
        if (typeof y === "number") values.push(y);
      }
    }
  }
  let low = Math.min(...values), high = Math.max(...values);
  if (!(high > low)) [low, high] = [low - 1, high + 1];
  const pad = (high - low) * 0.06;
  return [chart.floor === undefined ? low - pad : chart.floor, high + pad];
}

// paths returns the d of a line that is broken where there is no value.
function path(points) {
  let d = "", pen = false;
  for (const p of points) {
    if (!p) { pen = false; continue; }
    d += (pen ? "L" : "M") + p[0].toFixed(1) + " " + p[1].toFixed(1);
    pen = true;
  }
  return d;
}

// band returns the d of the area between the limits of a series.
function band(line, at) {
  const low = [], high = [];
  line.x.forEach((x, i) => {
    if (typeof line.lo[i] === "number" && typeof line.hi[i] === "number") {
      low.push(at(x, line.lo[i]));
      high.push(at(x, line.hi[i]));
    }
  });
  return low.length ? path(high.concat(low.reverse())) + "Z" : "";
}

// plot draws a chart into a figure, again whenever its width changes.
function plot(figure, chart) {
  chart.series = chart.series.filter((line) => line.y.some((y) => typeof y === "number"));
  if (!chart.series.some((line) => line.x.length > 1)) {
    figure.append(h("p", { class: "empty" }, "Too little has been played."));
    return;
  }
  const box = h("div", { class: "plot", tabindex: "0", role: "img", "aria-label": chart.label + " Arrow keys read values." });
  const readout = h("output", { class: "readout", "aria-live": "polite" });
  figure.append(box, readout);
  if (chart.series.length > 1) figure.append(legend(chart.series));
  const last = Math.max(...chart.series.map((line) => line.x[line.x.length - 1]));
  const first = chart.fromZero ? 0 : Math.min(...chart.series.map((line) => line.x[0]));
  const steps = [...new Set(chart.series.flatMap((line) => line.x))].sort((a, b) => a - b);
  let drawn = 0, cursor = -1, show = () => {};

  function draw() {
    const width = Math.max(240, box.clientWidth), height = figure.classList.contains("wide") ? 260 : 220;
    if (width === drawn) return;
    drawn = width;
    const [low, high] = range(chart);
    const left = 46, right = 8, top = 8, bottom = 26;
    const px = (x) => left + (x - first) / Math.max(1, last - first) * (width - left - right);
    const py = (y) => clamp(top + (high - y) / (high - low) * (height - top - bottom), -50, height + 50);
    const at = (x, y) => [px(x), py(y)];
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, height, "aria-hidden": "true" });
    const clip = "clip-" + chart.id;
    svg.append(s("clipPath", { id: clip }, s("rect", { x: left, y: 0, width: width - left, height: height - bottom + 1 })));
    for (const y of ticks(low, high, 5)) {
      svg.append(s("line", { class: y === 0 && chart.zero ? "zero" : "rule", x1: left, x2: width - right, y1: py(y), y2: py(y) }),
        s("text", { x: left - 8, y: py(y) + 4, "text-anchor": "end" }, chart.tick(y)));
    }
    for (const x of ticks(first, last, width / 90)) {
      if (Number.isInteger(x)) svg.append(s("text", { x: px(x), y: height - 7, "text-anchor": "middle" }, String(x)));
    }
    for (const bound of chart.bounds || []) {
      svg.append(s("line", { class: "bound", x1: left, x2: width - right, y1: py(bound.y), y2: py(bound.y) }),
        s("text", { x: width - right, y: py(bound.y) + (bound.y > 0 ? -5 : 14), "text-anchor": "end" }, bound.text));
    }
    const lines = s("g", { "clip-path": `url(#${clip})` });
    for (const line of chart.series) {
      if (line.lo) lines.append(s("path", { class: "bandline " + colorClass(line.e), d: band(line, at) }));
      const points = line.x.map((x, i) => (typeof line.y[i] === "number" ? at(x, line.y[i]) : null));
      lines.append(s("path", { class: "series " + colorClass(line.e), "stroke-dasharray": dash(line.e), d: path(points) }));
    }
    const marks = s("g", {});
    svg.append(lines, marks);
    show = () => {
      marks.replaceChildren();
      if (cursor < 0) { readout.textContent = ""; return; }
      const x = steps[cursor];
      marks.append(s("line", { class: "cursor", x1: px(x), x2: px(x), y1: top, y2: height - bottom }));
      const texts = [];
      for (const line of chart.series) {
        const i = line.x.indexOf(x);
        if (i < 0 || typeof line.y[i] !== "number") continue;
        marks.append(s("circle", { class: "at " + colorClass(line.e), cx: px(x), cy: py(line.y[i]), r: 4, "clip-path": `url(#${clip})` }));
        texts.push((chart.series.length > 1 ? nameOf(line.e) + " " : "") + chart.value(line, i));
      }
      readout.textContent = chart.step(x) + ": " + texts.join(", ");
    };
    box.replaceChildren(svg);
    svg.addEventListener("pointermove", (event) => {
      const x = (event.clientX - svg.getBoundingClientRect().left - left) / (width - left - right) * (last - first) + first;
      cursor = steps.reduce((best, v, i) => (Math.abs(v - x) < Math.abs(steps[best] - x) ? i : best), 0);
      show();
    });
    svg.addEventListener("pointerleave", () => { cursor = -1; show(); });
    show();
  }
  box.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1, Home: -steps.length, End: steps.length }[event.key];
    if (!move) return;
    event.preventDefault();
    cursor = clamp(cursor < 0 && move < 0 ? steps.length - 1 : cursor + move, 0, steps.length - 1);
    show();
  });
  box.addEventListener("blur", () => { cursor = -1; show(); });
  new ResizeObserver(draw).observe(box);
  draw();
}

function legend(series) {
  return h("ul", { class: "legend" }, series.map((line) => h("li", {},
    s("svg", { width: 22, height: 10, "aria-hidden": "true", class: colorClass(line.e) },
      s("path", { class: "series", d: "M0 5H22", stroke: "var(--c)", "stroke-width": 2, "stroke-dasharray": dash(line.e) })),
    nameOf(line.e))));
}

function charts() {
  const elo = data.elo;
  const list = {
    elo: elo && {
      series: elo.series, zero: true, skip: 0.12, include: [0],
      label: elo.difference ? `Elo difference of ${nameOf(0)} to ${nameOf(1)} as games were played.` : "Ratings of all engines as games were played.",
      tick: (y) => minus(y), step: (x) => x + " games",
      value: (line, i) => signed(line.y[i], 1) + (line.lo && typeof line.lo[i] === "number" ? ` (${signed(line.lo[i], 1)} to ${signed(line.hi[i], 1)})` : ""),
    },
    llr: data.llr && {
      series: [{ e: 0, x: data.llr.x, y: data.llr.y }], zero: true, fromZero: true, include: [data.llr.lower, data.llr.upper],
      bounds: [{ y: data.llr.upper, text: "H1" }, { y: data.llr.lower, text: "H0" }],
      label: "Log-likelihood ratio of the test, between its bounds." + (data.llr.verdict ? ` ${data.llr.verdict} was accepted.` : ""),
      tick: (y) => minus(y), step: (x) => x + " pairs", value: (line, i) => fixed(line.y[i], 2),
    },
    time: {
      series: data.time, floor: 0, label: "Mean time of a move by the number of stones on the board.",
      tick: (y) => String(Math.round(y) / 1000), step: (x) => x + " stones", value: (line, i) => seconds(line.y[i]),
    },
    depth: {
      series: data.depth, floor: 0, label: "Mean depth of search by the number of stones on the board.",
      tick: (y) => String(y), step: (x) => x + " stones", value: (line, i) => fixed(line.y[i], 1),
    },
  };
  for (const figure of document.querySelectorAll("[data-chart]")) {
    const id = figure.dataset.chart;
    if (list[id]) plot(figure, { id, ...list[id] });
  }
}

/* Games */

// expected reads a line that an engine expects, whatever its way to write
// points: the one in which the line begins with the move that was played.
function expected(text, played) {
  const flip = (p) => ({ x: p.x, y: data.height - 1 - p.y });
  const named = [...text.toLowerCase().matchAll(/([a-z]{1,2})(\d{1,2})\b/g)].map(([word]) => parsePoints(word)[0]);
  const pairs = [...text.matchAll(/(\d{1,2}),(\d{1,2})/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
  const ways = [named, named.map(flip), pairs, pairs.map((p) => ({ x: p.y, y: p.x })), pairs.map((p) => ({ x: p.x - 1, y: p.y - 1 }))];
  const way = ways.find((list) => list.length && list[0].x === played.x && list[0].y === played.y);
  return way ? way.slice(1) : [];
}

// winningLine returns the stones of a five through the last one.
function winningLine(points) {
  const last = points[points.length - 1];
  const own = new Set(points.filter((_, i) => (points.length - 1 - i) % 2 === 0).map((p) => p.x + "," + p.y));
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    const line = [last];
    for (const sign of [1, -1]) {
      for (let k = 1; own.has((last.x + sign * k * dx) + "," + (last.y + sign * k * dy)); k++) {
        line.push({ x: last.x + sign * k * dx, y: last.y + sign * k * dy });
      }
    }
    if (line.length >= 5) return line;
  }
  return [];
}

const RESULTS = { "1-0": "black won", "0-1": "white won", "1/2-1/2": "drawn" };

// ICONS are paths in a square of 16.
const ICONS = {
  start: "M3 3h2v10H3zM14 3v10L6 8z", back: "M12 3v10L4 8z", play: "M4 2.5v11l9-5.5z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
  on: "M4 3v10l8-5z", end: "M11 3h2v10h-2zM2 3v10l8-5z",
};
const icon = (name) => s("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: ICONS[name], fill: "currentColor" }));

// A Viewer replays games.
class Viewer {
  constructor(root) {
    this.timer = 0;
    this.title = h("h3", {});
    this.subtitle = h("p", {});
    this.board = this.makeBoard();
    this.slider = h("input", { type: "range", min: "0", step: "1", "aria-label": "Stones on the board", input: () => this.go(Number(this.slider.value)) });
    this.playButton = this.button("play", "Play", () => this.play());
    this.showLine = h("input", { type: "checkbox", change: () => this.draw() });
    this.clocks = h("div", { class: "clocks" });
    this.said = h("div", { class: "said", "aria-live": "polite" });
    this.graph = h("div", { class: "graph" });
    this.rows = h("tbody", {});
    this.moveList = h("div", { class: "movelist", tabindex: "0", role: "region", "aria-label": "Moves" },
      h("table", {}, h("thead", {}, h("tr", {}, ["#", "Move", "Time", "Depth", "Nodes", "Nodes/s", "Score"].map((text) =>
        h("th", { scope: "col", class: { Move: "", "Nodes/s": "n speed" }[text] ?? "n" }, text)))), this.rows));
    root.append(h("div", { class: "stage" },
      h("header", {}, this.title, this.subtitle),
      h("div", {}, this.board,
        h("div", { class: "controls" },
          this.button("start", "To the opening", () => this.go(this.game.o)),
          this.button("back", "One move back", () => this.go(this.ply - 1)),
          this.playButton,
          this.button("on", "One move on", () => this.go(this.ply + 1)),
          this.button("end", "To the end", () => this.go(this.points.length)),
          this.slider,
          h("label", {}, this.showLine, " expected line")),
        h("p", { class: "hint" }, "Keys on the board: \u2190 \u2192 step, Home and End, space plays, \u2191 \u2193 other games.")),
      h("div", { class: "panel" }, this.clocks, this.said, this.graph, this.moveList)));
    this.list = new GameList(root, this);
    new ResizeObserver(() => this.drawGraph()).observe(this.graph);
  }

  button(name, label, click) {
    return h("button", { type: "button", class: "icon", "aria-label": label, title: label, click }, icon(name));
  }

  makeBoard() {
    this.drawing = new Board(data.width, data.height);
    this.drawing.svg.addEventListener("click", (event) => this.go(this.ply + this.drawing.side(event)));
    return h("div", { class: "boardbox", tabindex: "0", role: "group", "aria-label": "Board", keydown: (event) => this.key(event) }, this.drawing.svg);
  }

  key(event) {
    const actions = {
      ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(this.game.o), End: () => this.go(this.points.length), " ": () => this.play(),
      ArrowUp: () => this.list.neighbour(-1), ArrowDown: () => this.list.neighbour(1),
    };
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  // load shows a game, all of it.
  load(game) {
    this.stop();
    this.game = game;
    this.points = parsePoints(game.m);
    this.five = game.y === "five" ? winningLine(this.points) : [];
    const player = (color, engine) => h("span", { class: "player" }, h("span", { class: "stone " + color }), nameOf(engine));
    this.title.replaceChildren(`Game ${game.n}: `, player("black", game.b), " vs ", player("white", game.w));
    const facts = [`${game.r} \u00b7 ${game.x || RESULTS[game.r]}`];
    if (game.d) facts.push(game.d);
    if (game.op) facts.push(`opening ${game.op}`);
    if (game.s) facts.push(`swap2: ${game.s}`);
    if (game.at) facts.push(new Date(game.at * 1000).toISOString().slice(0, 16).replace("T", " ") + " UTC");
    if (game.tr) facts.push(game.tr);
    this.subtitle.textContent = facts.join(" \u00b7 ");
    this.slider.max = this.points.length;
    this.rows.replaceChildren(...this.points.map((p, i) => this.row(p, i)));
    this.go(this.points.length);
    this.drawGraph();
    this.list.mark(game);
  }

  // info is what the engine said about the move i.
  info(i) {
    const list = this.game.i && this.game.i[i - this.game.o];
    if (!list) return {};
    const [depth, selDepth, nodes, speed, score, line, value] = list;
    return { depth, selDepth, nodes, speed, score, line, value };
  }

  time(i) {
    return i >= this.game.o ? this.game.t[i - this.game.o] : undefined;
  }

  depthText(info) {
    return info.depth ? info.depth + (info.selDepth ? "\u2013" + info.selDepth : "") : "";
  }

  row(p, i) {
    const info = this.info(i), time = this.time(i);
    const cells = [
      time === undefined ? (i < this.game.o ? "opening" : "") : seconds(time), this.depthText(info),
      info.nodes ? count(info.nodes) : "", info.speed ? count(info.speed) : "", minus(info.score || ""),
    ];
    return h("tr", {}, h("td", { class: "n" }, String(i + 1)),
      h("td", {}, h("span", { class: "stone " + (i % 2 ? "white" : "black") }), h("button", { type: "button", click: () => this.go(i + 1) }, pointName(p))),
      cells.map((text, k) => h("td", { class: k === 3 ? "n speed" : "n" }, text)));
  }

  // go shows so many stones.
  go(ply) {
    this.ply = clamp(ply, 0, this.points.length);
    this.slider.value = this.ply;
    this.slider.setAttribute("aria-valuetext", this.ply ? `${this.ply}: ${pointName(this.points[this.ply - 1])}` : "empty board");
    this.draw();
  }

  play() {
    if (this.timer) { this.stop(); return; }
    if (this.ply === this.points.length) this.go(this.game.o);
    this.playButton.replaceChildren(icon("pause"));
    this.playButton.setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => {
      this.go(this.ply + 1);
      if (this.ply === this.points.length) this.stop();
    }, 600);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.playButton.replaceChildren(icon("play"));
    this.playButton.setAttribute("aria-label", "Play");
  }

  draw() {
    this.drawStones();
    this.drawClocks();
    this.drawSaid();
    this.moveCursor();
    for (const row of this.rows.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    const row = this.rows.children[this.ply - 1];
    if (row) {
      row.setAttribute("aria-current", "true");
      const head = 28, top = row.offsetTop - head, bottom = row.offsetTop + row.offsetHeight;
      if (top < this.moveList.scrollTop) this.moveList.scrollTop = top;
      else if (bottom > this.moveList.scrollTop + this.moveList.clientHeight) this.moveList.scrollTop = bottom - this.moveList.clientHeight;
    } else {
      this.moveList.scrollTop = 0;
    }
    const last = this.points[this.ply - 1];
    this.board.setAttribute("aria-label", `Board after ${this.ply} of ${this.points.length} stones` + (last ? `, the last on ${pointName(last)}` : ""));
  }

  drawStones() {
    const list = [];
    const five = this.ply === this.points.length ? this.five : [];
    for (let i = 0; i < this.ply; i++) {
      const p = this.points[i];
      const classes = [i % 2 ? "white" : "black"];
      if (i < this.game.o) classes.push("opening");
      if (five.some((q) => q.x === p.x && q.y === p.y)) classes.push("five");
      if (i === this.ply - 1) classes.push("last");
      list.push({ ...p, text: String(i + 1), classes: classes.join(" ") });
    }
    if (this.showLine.checked && this.ply > 0) {
      const { line } = this.info(this.ply - 1);
      const taken = new Set(this.points.slice(0, this.ply).map((p) => p.x + "," + p.y));
      let i = this.ply;
      for (const p of line ? expected(line, this.points[this.ply - 1]) : []) {
        const key = p.x + "," + p.y;
        if (taken.has(key) || p.x < 0 || p.y < 0 || p.x >= data.width || p.y >= data.height) break;
        taken.add(key);
        list.push({ ...p, text: String(i + 1), classes: "ghost " + (i % 2 ? "white" : "black") });
        i++;
      }
    }
    this.drawing.draw(list);
  }

  drawClocks() {
    const boxes = [this.game.b, this.game.w].map((engine, color) => {
      let used = 0, moves = 0, last;
      for (let i = this.game.o; i < this.ply; i++) {
        if (i % 2 === color && this.time(i) !== undefined) { last = this.time(i); used += last; moves++; }
      }
      const { match, inc } = data.engines[engine];
      const left = match ? seconds(Math.max(0, match - used + inc * moves)) + " left" : seconds(used) + " used";
      const turn = this.ply < this.points.length && this.ply % 2 === color;
      return h("div", { class: colorClass(engine) + (turn ? " turn" : "") },
        h("b", {}, h("span", { class: "stone " + ["black", "white"][color] }), nameOf(engine)), h("span", {}, left),
        h("small", {}, last === undefined ? "no move yet" : `last move ${seconds(last)}`));
    });
    this.clocks.replaceChildren(...boxes);
  }

  drawSaid() {
    if (this.ply <= this.game.o) {
      this.said.replaceChildren(h("p", {}, this.game.o ? `Opening of ${this.game.o} stones.` : "Empty board."));
      return;
    }
    const i = this.ply - 1, info = this.info(i);
    const who = nameOf(i % 2 ? this.game.w : this.game.b);
    const numbers = [];
    if (info.score) numbers.push("score " + minus(info.score));
    if (info.depth) numbers.push("depth " + this.depthText(info));
    if (info.nodes) numbers.push(count(info.nodes) + " nodes");
    if (info.speed) numbers.push(count(info.speed) + " nodes/s");
    this.said.replaceChildren(h("p", {}, h("b", {}, `${this.ply}. ${pointName(this.points[i])}`), ` ${who}` + (numbers.length ? "" : " said nothing")),
      h("p", { class: "numbers" }, numbers.map((text) => h("span", {}, text))));
    if (info.line) this.said.append(h("p", {}, "expects ", h("code", {}, info.line)));
  }

  // drawGraph draws what both engines thought of the game, from black's view.
  drawGraph() {
    const game = this.game, n = this.points ? this.points.length : 0;
    const width = this.graph.clientWidth, height = 120, top = 6, bottom = 16, left = 4;
    if (!game || !width) return;
    const px = (ply) => left + (ply - game.o) / Math.max(1, n - game.o) * (width - 2 * left);
    const py = (v) => top + (1 - v) / 2 * (height - top - bottom);
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "Scores of both engines, black\u2019s advantage up. Units differ: they are squeezed between lost and won." });
    svg.append(s("line", { class: "rule", x1: 0, x2: width, y1: py(1), y2: py(1) }), s("line", { class: "zero", x1: 0, x2: width, y1: py(0), y2: py(0) }),
      s("line", { class: "rule", x1: 0, x2: width, y1: py(-1), y2: py(-1) }),
      s("text", { x: 2, y: py(1) + 12 }, "black"), s("text", { x: 2, y: py(-1) - 4 }, "white"),
      s("text", { x: width, y: height - 3, "text-anchor": "end" }, "score by move, as each engine sees it"));
    [game.b, game.w].forEach((engine, color) => {
      const points = [];
      for (let i = game.o; i < n; i++) {
        const { value } = this.info(i);
        if (i % 2 === color && typeof value === "number") points.push([px(i + 1), py(color ? -value : value)]);
      }
      svg.append(s("path", { class: "series " + colorClass(engine), "stroke-dasharray": color ? "5 3" : "", d: path(points) }));
      for (const [x, y] of points) svg.append(s("circle", { class: "dotmark " + colorClass(engine), cx: x, cy: y, r: 2 }));
    });
    this.cursor = s("line", { class: "cursor", y1: top, y2: height - bottom });
    this.cursorAt = px;
    svg.append(this.cursor);
    svg.addEventListener("click", (event) => {
      const x = event.clientX - svg.getBoundingClientRect().left;
      this.go(Math.round((x - left) / (width - 2 * left) * (n - game.o)) + game.o);
    });
    this.graph.replaceChildren(svg);
    this.moveCursor();
  }

  moveCursor() {
    if (!this.cursor) return;
    const x = this.cursorAt(Math.max(this.ply, this.game.o));
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }
}

// A GameList lets readers choose a game. The latest come first.
class GameList {
  constructor(root, viewer) {
    this.viewer = viewer;
    this.games = [...data.games].reverse();
    this.size = 25;
    const engines = data.engines.map((e, i) => [String(i), e.name]);
    this.first = this.select("Engine", [["", "any"], ...engines]);
    this.second = this.select("Opponent", [["", "any"], ...engines]);
    this.result = this.select("Ended", [["", "any way"], ["won", "engine won"], ["lost", "engine lost"], ["1-0", "black won"], ["0-1", "white won"], ["1/2-1/2", "drawn"], ["failed", "by a failure"]]);
    this.rows = h("tbody", {});
    this.where = h("span", { "aria-live": "polite" });
    this.back = h("button", { type: "button", click: () => this.turn(-1) }, "Later");
    this.on = h("button", { type: "button", click: () => this.turn(1) }, "Earlier");
    root.append(h("div", { class: "filters" }, [this.first, this.second, this.result].map((f) => f.label),
      h("div", { class: "pager" }, this.back, this.where, this.on)),
    h("div", { class: "scroll list", tabindex: "0", role: "region", "aria-label": "Games" },
      h("table", {}, h("thead", {}, h("tr", {}, ["Game", "Black", "White", "Result", "How", "Stones", "Opening"].map((text) => h("th", { scope: "col" }, text)))), this.rows)));
    this.filter();
  }

  select(text, options) {
    const select = h("select", { change: () => this.filter() }, options.map(([value, name]) => h("option", { value }, name)));
    return { select, label: h("label", {}, text, select) };
  }

  filter() {
    const [a, b, result] = [this.first, this.second, this.result].map((f) => f.select.value);
    this.shown = this.games.filter((g) => {
      const players = [String(g.b), String(g.w)];
      if (a && !players.includes(a) || b && !players.includes(b) || a && a === b) return false;
      switch (result) {
        case "": return true;
        case "failed": return Boolean(g.f);
        case "won": return Boolean(a) && g.r === (players[0] === a ? "1-0" : "0-1");
        case "lost": return Boolean(a) && g.r === (players[0] === a ? "0-1" : "1-0");
      }
      return g.r === result;
    });
    this.page = 0;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  draw() {
    const from = this.page * this.size, list = this.shown.slice(from, from + this.size);
    this.rows.replaceChildren(...list.map((g) => h("tr", { "aria-current": this.viewer.game === g && "true" },
      h("td", {}, h("a", { href: "#g" + g.n }, String(g.n))),
      h("td", {}, h("span", { class: "dot " + colorClass(g.b) }), nameOf(g.b)), h("td", {}, h("span", { class: "dot " + colorClass(g.w) }), nameOf(g.w)),
      h("td", {}, g.r), h("td", {}, g.f ? h("span", { class: "tag" }, g.y) : g.y), h("td", {}, String(parsePoints(g.m).length)), h("td", {}, g.op ? String(g.op) : ""))));
    this.where.textContent = this.shown.length ? `${from + 1}\u2013${from + list.length} of ${this.shown.length}` : "no games";
    this.back.disabled = this.page === 0;
    this.on.disabled = from + this.size >= this.shown.length;
  }

  // mark turns to the page of a game.
  mark(game) {
    const i = this.shown.indexOf(game);
    if (i >= 0) this.page = Math.floor(i / this.size);
    this.draw();
  }

  neighbour(by) {
    const i = this.shown.indexOf(this.viewer.game);
    const game = this.shown[clamp(i + by, 0, this.shown.length - 1)];
    if (game) this.viewer.load(game);
  }
}

function games() {
  const root = document.getElementById("viewer");
  if (!data.games.length) {
    root.append(h("p", { class: "empty" }, "No game is over yet."));
    return;
  }
  const viewer = new Viewer(root);
  const open = () => {
    const match = /^#g(\d+)$/.exec(location.hash);
    const game = match && data.games.find((g) => g.n === Number(match[1]));
    if (!game) return false;
    viewer.load(game);
    viewer.board.closest(".stage").scrollIntoView({ block: "start" });
    viewer.board.focus({ preventScroll: true });
    return true;
  };
  addEventListener("hashchange", open);
  if (!open()) viewer.load(data.games[data.games.length - 1]);
}

charts();
games();
