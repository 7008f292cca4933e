// The timeline of the step that is chosen.
import { boxesSeries, computeSeries } from "./boxes.js";
import { axis, chart, font, tooltip } from "./chart.js";
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { laid } from "./lanes.js";
import { marksSeries } from "./marks.js";
import { onSelection, select, selection } from "./selection.js";
import { inWords, slowest, typical } from "./steps.js";
import { variable } from "./theme.js";
import { place, shown, timeline } from "./timelines.js";
import { tip } from "./tips.js";
import { count, duration, scale } from "./units.js";
import { zoomable } from "./zoom.js";

const AXIS = 26; // pixels for the times under the lanes
const AROUND = 0.6; // of a gap's length, on both sides of it, when a link leads to it

export function view() {
  const title = el("h2", { id: "timeline-title" });
  const about = el("p", { class: "quiet", id: "timeline-about" });
  const labels = el("div", { class: "lanes", "aria-hidden": "true" });
  const canvas = el("div", { id: "lanes", class: "chart", tabindex: "0", role: "group", "aria-labelledby": "timeline-title", "aria-describedby": "timeline-keys" });
  const grid = el("div", { class: "timeline" }, labels, canvas);
  const missing = el("p", { id: "missing" });
  const bar = el("div", { class: "bar" });
  const range = el("span", { class: "quiet", id: "range", "aria-live": "polite" });
  const keys = el("p", { class: "quiet keys", id: "timeline-keys" });
  const key = (name) => el("kbd", {}, name);
  replace(keys, "Wheel, ", key("+"), " ", key("-"), " zoom; drag, ", key("←"), " ", key("→"), " move; ", key("n"), " ", key("p"), " next and previous gap; ", key("0"), " whole step; ", key("Esc"), " let go.");
  const section = el("section", { id: "timeline", "aria-labelledby": "timeline-title" }, el("div", { class: "title" }, title, about, bar), grid, missing, keys);
  return [section, () => start({ title, about, labels, canvas, grid, missing, bar, keys, range })];
}

function start(parts) {
  const window = { from: 0, to: 1, length: 1 };
  let rows = [];
  const { instance, draw } = chart(parts.canvas, () => option(rows, window));
  const sayRange = () => {
    const whole = window.to - window.from >= window.length;
    parts.range.textContent = whole ? "" : `${duration(window.from)} to ${duration(window.to)}`;
  };
  const show = () => instance.dispatchAction({ type: "dataZoom", startValue: window.from, endValue: window.to });
  const zoom = zoomable(parts.canvas, window, show);
  instance.on("datazoom", () => {
    const [{ startValue, endValue }] = instance.getOption().dataZoom;
    Object.assign(window, { from: startValue, to: endValue });
    sayRange();
  });
  instance.on("click", ({ seriesId, value }) => {
    if (seriesId !== "boxes") return;
    const { lane } = rows[value[2]];
    const box = lane.boxes[value[3]];
    if (lane.track === "lost" && box.extra) select({ gap: box.extra });
  });
  const step = () => {
    const found = timeline(selection.step);
    parts.grid.hidden = parts.keys.hidden = parts.bar.hidden = !found;
    describe(parts, found);
    if (!found) return;
    const laidOut = laid(found.lanes);
    rows = laidOut.rows;
    Object.assign(window, { from: 0, to: found.length_ns, length: found.length_ns });
    sayRange();
    parts.canvas.style.height = `${laidOut.height + AXIS}px`;
    replace(parts.labels, rows.map(label));
    instance.resize();
    draw();
  };
  const gap = () => {
    const chosen = selection.gap && place(selection.step, selection.gap);
    draw();
    if (!chosen) return;
    const room = AROUND * (chosen.end_ns - chosen.start_ns);
    zoom.to(chosen.start_ns - room, chosen.end_ns - chosen.start_ns + 2 * room);
  };
  onSelection((before) => {
    if (before.step !== selection.step) step();
    if (before.step !== selection.step || before.gap !== selection.gap) gap();
    else if (before.cause !== selection.cause) draw();
  });
  // a link without a gap is to all of the step
  addEventListener("hashchange", () => selection.gap === null && zoom.whole());
  controls(parts, zoom, window);
  step();
  gap();
}

function label({ y, height, label: text, head }) {
  const span = el("span", { class: head && "head", title: text }, text);
  span.style.top = `${y}px`;
  span.style.lineHeight = `${height}px`;
  return span;
}

function option(rows, window) {
  const chosen = rows.length > 0 && selection.gap && place(selection.step, selection.gap);
  const [unit, size] = scale(window.length);
  const height = rows.length ? rows.at(-1).y + rows.at(-1).height + 4 : 0;
  const step = selection.step;
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    tooltip: tooltip(({ seriesId, value }) => {
      const { lane } = rows[value[2]];
      const box = lane.boxes[value[3]];
      return seriesId === "boxes" ? tip(box.lane ?? lane, box, step) : "";
    }),
    grid: { left: 0, right: 0, top: 0, height },
    xAxis: {
      ...axis(),
      type: "value",
      min: 0,
      max: window.length,
      axisLabel: { ...axis().axisLabel, hideOverlap: true, showMaxLabel: false, formatter: (ns) => (ns && ns === window.from ? "" : `${Number((ns / size).toPrecision(7))} ${unit}`), align: "left" },
      splitLine: { show: true, lineStyle: { color: variable("--rule"), opacity: 0.6 } },
    },
    yAxis: { type: "value", min: 0, max: 1, show: false },
    dataZoom: [{ type: "inside", filterMode: "none", zoomOnMouseWheel: false, moveOnMouseMove: false, moveOnMouseWheel: false, startValue: window.from, endValue: window.to }],
    series: [computeSeries(rows, window.length), boxesSeries(rows, selection.cause), marksSeries(rows, chosen || null)],
  };
}

function describe(parts, found) {
  const at = data.steps.number.indexOf(selection.step);
  const single = data.steps.number.length === 1;
  const words = inWords(at);
  const kind = at === slowest && !single ? ", the slowest" : at === typical && !single ? ", a typical one" : "";
  replace(parts.title, single ? "Timeline" : `Step ${selection.step}${kind}`);
  const finely = !found ? "" : found.resolution_ns ? ` What is shorter than ${duration(found.resolution_ns)} is drawn as one with its neighbours.` : " Every op is drawn.";
  replace(parts.about, `${words.slice(words.indexOf(":") + 2).replace(/^./, (letter) => letter.toUpperCase())}.${finely}`);
  if (found) {
    replace(parts.missing);
    return;
  }
  const near = [...shown].sort((one, other) => Math.abs(one - selection.step) - Math.abs(other - selection.step)).slice(0, 3);
  replace(
    parts.missing,
    `To stay small, this page has timelines of ${count(shown.length, "step")} only: the slowest, a typical one, those with the most of each cause, and the next slowest. The nearest are `,
    near.flatMap((step, place_) => [place_ ? ", " : "", el("a", { href: `#step=${step}` }, `step ${step}`)]),
    ". For this one: ",
    el("code", {}, `gapfinder report TRACE --window ${selection.step} -o step.html`),
  );
}

// Buttons for what the wheel and the keys do, and keys that lead from gap to gap.
function controls(parts, zoom, window) {
  const next = (direction) => {
    const found = timeline(selection.step);
    if (!found) return;
    const places = found.places.filter(({ cause }) => selection.cause === null || cause === selection.cause).sort((one, other) => one.start_ns - other.start_ns);
    const now = places.findIndex(({ number }) => number === selection.gap);
    const from = now >= 0 ? now + direction : places.findIndex(({ start_ns }) => start_ns >= window.from);
    const to = places[Math.min(places.length - 1, Math.max(0, from))];
    if (to) select({ gap: to.number });
  };
  const whole = () => {
    if (selection.gap !== null) select({ gap: null });
    zoom.whole();
  };
  const step = (by) => () => {
    const to = data.steps.number[data.steps.number.indexOf(selection.step) + by];
    if (to !== undefined) select({ step: to });
  };
  const button = (text, title, onclick) => el("button", { type: "button", title, "aria-label": title, onclick }, text);
  replace(
    parts.bar,
    parts.range,
    data.steps.number.length > 1 && [button("← step", "Previous step", step(-1)), button("step →", "Next step", step(1))],
    button("← gap", "Previous gap", () => next(-1)),
    button("gap →", "Next gap", () => next(1)),
    button("+", "Zoom in", () => zoom.by(0.6)),
    button("−", "Zoom out", () => zoom.by(1 / 0.6)),
    button("Whole step", "Show the whole step", whole),
  );
  parts.canvas.addEventListener("keydown", (event) => {
    if (event.key === "n") next(1);
    else if (event.key === "p") next(-1);
    else if (event.key === "Escape") whole();
  });
}
