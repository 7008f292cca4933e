// The timeline of the selected step.
import { boxesSeries, computeSeries } from "./boxes.js";
import { axis, chart, font, tooltip } from "./chart.js";
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { layOut } from "./lanes.js";
import { marksSeries } from "./marks.js";
import { onSelection, select, selection } from "./selection.js";
import { slowest, summary, typical } from "./steps.js";
import { cssVariable } from "./theme.js";
import { lostInterval, timeline, timelineSteps } from "./timeline_data.js";
import { tip } from "./tips.js";
import { axisUnit, count, duration } from "./units.js";
import { ZOOM, zoomable } from "./zoom.js";

const AXIS = 26; // pixels for the times below the lanes
const MARGIN = 0.6; // of a gap's length: what is shown on both sides of it when it is selected
const NEAREST = 3; // steps with a timeline that are named where a step has none
const steps = data.steps.number;

// The section, and a function that draws the chart in it.
export function timelineSection() {
  const parts = {
    title: el("h2", { id: "timeline-title" }),
    about: el("p", { class: "quiet", id: "timeline-about" }),
    buttons: el("div", { class: "bar" }),
    range: el("span", { class: "quiet", id: "range", "aria-live": "polite" }),
    labels: el("div", { class: "lanes", "aria-hidden": "true" }),
    canvas: el("div", {
      id: "lanes",
      class: "chart",
      tabindex: "0",
      role: "group",
      "aria-labelledby": "timeline-title",
      "aria-describedby": "timeline-keys",
    }),
    missing: el("p", { id: "missing" }),
    keys: keysHelp(),
  };
  parts.grid = el("div", { class: "timeline" }, parts.labels, parts.canvas);
  const section = el(
    "section",
    { id: "timeline", "aria-labelledby": "timeline-title" },
    el("div", { class: "title" }, parts.title, parts.about, parts.buttons),
    parts.grid,
    parts.missing,
    parts.keys,
  );
  return [section, () => start(parts)];
}

function keysHelp() {
  const key = (name) => el("kbd", {}, name);
  return el(
    "p",
    { class: "quiet keys", id: "timeline-keys" },
    ["Wheel, ", key("+"), " ", key("-"), " zoom; drag, ", key("←"), " ", key("→"), " move; "],
    [key("n"), " ", key("p"), " next and previous gap; ", key("0"), " whole step; ", key("Esc"), " deselect."],
  );
}

function start(parts) {
  const view = { from: 0, to: 1, length: 1 };
  let rows = [];
  const { instance, draw } = chart(parts.canvas, () => option(rows, view));
  const showRange = () => {
    const whole = view.to - view.from >= view.length;
    parts.range.textContent = whole ? "" : `${duration(view.from)} to ${duration(view.to)}`;
  };
  const zoom = zoomable(parts.canvas, view, () => {
    instance.dispatchAction({ type: "dataZoom", startValue: view.from, endValue: view.to });
  });
  instance.on("datazoom", () => {
    const [{ startValue, endValue }] = instance.getOption().dataZoom;
    Object.assign(view, { from: startValue, to: endValue });
    showRange();
  });
  instance.on("click", ({ seriesId, value }) => {
    if (seriesId !== "boxes") return;
    const { lane } = rows[value[2]];
    const box = lane.boxes[value[3]];
    if (lane.track === "lost" && box.extra) select({ gap: box.extra });
  });
  const showStep = () => {
    const found = timeline(selection.step);
    for (const part of [parts.grid, parts.keys, parts.buttons]) part.hidden = !found;
    describe(parts, found);
    if (!found) return;
    const layout = layOut(found.lanes);
    rows = layout.rows;
    Object.assign(view, { from: 0, to: found.length_ns, length: found.length_ns });
    showRange();
    parts.canvas.style.height = `${layout.height + AXIS}px`;
    replace(parts.labels, rows.map(laneLabel));
    instance.resize();
    draw();
  };
  const showGap = () => {
    const gap = selectedGap();
    draw();
    if (!gap) return;
    const length = gap.end_ns - gap.start_ns;
    zoom.show(gap.start_ns - MARGIN * length, length + 2 * MARGIN * length);
  };
  onSelection((before) => {
    const otherStep = before.step !== selection.step;
    if (otherStep) showStep();
    if (otherStep || before.gap !== selection.gap) showGap();
    else if (before.cause !== selection.cause) draw();
  });
  // a link without a gap leads to the whole step
  addEventListener("hashchange", () => selection.gap === null && zoom.whole());
  addControls(parts, zoom, view);
  showStep();
  showGap();
}

function selectedGap() {
  return selection.gap === null ? null : lostInterval(selection.step, selection.gap);
}

function laneLabel({ y, height, label, head }) {
  const span = el("span", { class: head && "head", title: label }, label);
  span.style.top = `${y}px`;
  span.style.lineHeight = `${height}px`;
  return span;
}

function option(rows, view) {
  const gap = rows.length ? selectedGap() : null;
  const [unit, size] = axisUnit(view.length);
  // no time at the left edge while it is not 0: its label would be cut off
  const formatter = (ns) => (ns && ns === view.from ? "" : `${Number((ns / size).toPrecision(7))} ${unit}`);
  const { step } = selection;
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    tooltip: tooltip(({ seriesId, value }) => {
      const { lane } = rows[value[2]];
      const box = lane.boxes[value[3]];
      return seriesId === "boxes" ? tip(box.lane ?? lane, box, step) : "";
    }),
    grid: { left: 0, right: 0, top: 0, height: rows.length ? rows.at(-1).y + rows.at(-1).height + 4 : 0 },
    xAxis: {
      ...axis(),
      type: "value",
      min: 0,
      max: view.length,
      axisLabel: { ...axis().axisLabel, hideOverlap: true, showMaxLabel: false, formatter, align: "left" },
      splitLine: { show: true, lineStyle: { color: cssVariable("--rule"), opacity: 0.6 } },
    },
    yAxis: { type: "value", min: 0, max: 1, show: false },
    dataZoom: [
      {
        type: "inside",
        filterMode: "none",
        zoomOnMouseWheel: false,
        moveOnMouseMove: false,
        moveOnMouseWheel: false,
        startValue: view.from,
        endValue: view.to,
      },
    ],
    series: [computeSeries(rows, view.length), boxesSeries(rows, selection.cause), marksSeries(rows, gap)],
  };
}

// Writes the title and the text around the timeline, also where the page has none of this step.
function describe(parts, found) {
  const index = steps.indexOf(selection.step);
  const single = steps.length === 1;
  const kinds = new Map([
    [typical, ", a typical one"],
    [slowest, ", the slowest"],
  ]);
  replace(parts.title, single ? "Timeline" : `Step ${selection.step}${kinds.get(index) ?? ""}`);
  const { time, lost } = summary(index);
  replace(parts.about, `${time}, ${lost}.${found ? ` ${detail(found)}` : ""}`);
  if (found) {
    replace(parts.missing);
    return;
  }
  const nearest = [...timelineSteps]
    .sort((one, other) => Math.abs(one - selection.step) - Math.abs(other - selection.step))
    .slice(0, NEAREST);
  replace(
    parts.missing,
    `To stay small, this page has the timelines of ${count(timelineSteps.length, "step")} only: the slowest, a typical one, those with the most of each cause, and the next slowest. The nearest are `,
    nearest.flatMap((step, place) => [place ? ", " : "", el("a", { href: `#step=${step}` }, `step ${step}`)]),
    ". For this one: ",
    el("code", {}, `gapfinder report TRACE --window ${selection.step} -o step.html`),
  );
}

function detail({ resolution_ns: resolution }) {
  return resolution
    ? `What is shorter than ${duration(resolution)} is drawn as one with its neighbors.`
    : "Every activity is drawn.";
}

// Buttons for what the wheel and the keys do, and keys that lead from gap to gap.
function addControls(parts, zoom, view) {
  const showNextGap = (direction) => {
    const found = timeline(selection.step);
    if (!found) return;
    const gaps = found.places
      .filter(({ cause }) => selection.cause === null || cause === selection.cause)
      .sort((one, other) => one.start_ns - other.start_ns);
    const selected = gaps.findIndex(({ number }) => number === selection.gap);
    const next = selected >= 0 ? selected + direction : gaps.findIndex(({ start_ns: start }) => start >= view.from);
    const gap = gaps[Math.min(gaps.length - 1, Math.max(0, next))];
    if (gap) select({ gap: gap.number });
  };
  const showWhole = () => {
    if (selection.gap !== null) select({ gap: null });
    zoom.whole();
  };
  const showOtherStep = (distance) => {
    const step = steps[steps.indexOf(selection.step) + distance];
    if (step !== undefined) select({ step });
  };
  const button = (text, title, onclick) => el("button", { type: "button", title, "aria-label": title, onclick }, text);
  replace(
    parts.buttons,
    parts.range,
    steps.length > 1 && [
      button("← step", "Previous step", () => showOtherStep(-1)),
      button("step →", "Next step", () => showOtherStep(1)),
    ],
    button("← gap", "Previous gap", () => showNextGap(-1)),
    button("gap →", "Next gap", () => showNextGap(1)),
    button("+", "Zoom in", () => zoom.zoom(ZOOM)),
    button("−", "Zoom out", () => zoom.zoom(1 / ZOOM)),
    button("Whole step", "Show the whole step", showWhole),
  );
  parts.canvas.addEventListener("keydown", (event) => {
    if (event.key === "n") showNextGap(1);
    else if (event.key === "p") showNextGap(-1);
    else if (event.key === "Escape") showWhole();
  });
}
