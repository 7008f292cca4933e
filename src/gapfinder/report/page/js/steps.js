// The ledger of each step as a bar, so that the odd slow step shows. A step is chosen by a click or with the arrow keys.
import { axis, chart, font, tooltip } from "./chart.js";
import { data } from "./data.js";
import { el, replace, table } from "./dom.js";
import { onSelection, select, selection } from "./selection.js";
import { colour, onTheme, swatch, variable } from "./theme.js";
import { timeline } from "./timelines.js";
import { duration, percent, scale } from "./units.js";

const { number: numbers, length_ns: lengths, gpus } = data.steps;
const GRID = 118; // pixels for the bars of one GPU
const LEFT = 52;
const longest = Math.max(...lengths);

// The step at the middle of all by length, which stands for most of them.
export const typical = [...numbers.keys()].sort((one, other) => lengths[one] - lengths[other])[Math.floor((numbers.length - 1) / 2)];
export const slowest = lengths.indexOf(longest);

// Lost time of a step by cause, over the GPUs that are given.
function lost(at, among = gpus) {
  const found = new Map();
  for (const gpu of among) {
    for (const [cause, ns] of Object.entries(gpu.lost_ns)) if (ns[at]) found.set(cause, (found.get(cause) ?? 0) + ns[at] / among.length);
  }
  return [...found].sort((one, other) => other[1] - one[1]);
}

export function inWords(at) {
  const causes = lost(at);
  const all = causes.reduce((sum, [, ns]) => sum + ns, 0);
  const worst = causes.length ? `, most of it to ${causes[0][0]}` : "";
  return `step ${numbers[at]}: ${duration(lengths[at])}, ${percent(all / lengths[at])} lost${worst}`;
}

export function steps() {
  const box = el("div", {
    id: "bars",
    class: "chart",
    tabindex: "0",
    role: "slider",
    "aria-label": "Step. Arrow keys choose one",
    "aria-valuemin": numbers[0],
    "aria-valuemax": numbers.at(-1),
    "aria-orientation": "horizontal",
  });
  box.style.setProperty("--height", `${gpus.length * GRID + 52}px`);
  const links = el("p", { class: "quiet" });
  const section = el(
    "section",
    { id: "steps", "aria-labelledby": "steps-title" },
    el("div", { class: "title" }, el("h2", { id: "steps-title" }, numbers.length > 1 ? "Every step" : "The window"), links),
    box,
    stepsTable(),
  );
  shortcuts(links);
  onSelection(() => shortcuts(links));
  return [section, () => draw(box)];
}

// What to look at first, and what the dashed line is.
function shortcuts(links) {
  if (numbers.length < 2) return;
  const link = (at) => el("a", { href: `#step=${numbers[at]}` }, `step ${numbers[at]}`);
  const cause = told();
  const most = [...numbers.keys()].reduce((one, other) => (amount(other, cause) > amount(one, cause) ? other : one), 0);
  const without = predicted();
  replace(
    links,
    el("span", {}, "Slowest: ", link(slowest), `, ${duration(longest)}. Typical: `, link(typical), `, ${duration(lengths[typical])}.`),
    amount(most, cause) > 0 && el("span", {}, ` Most ${cause}: `, link(most), `, ${duration(amount(most, cause))}.`),
    without && el("span", {}, ` Dashed: without ${cause}, ${duration(without)}.`),
  );
}

// The cause that is spoken of: the chosen one, else the verdict.
function told() {
  return selection.cause ?? data.diagnosis.verdict.cause;
}

// A step without that cause, as the replay predicts it.
function predicted() {
  return data.diagnosis.causes.find(({ cause }) => cause === told())?.predicted_step_ns;
}

function amount(at, cause) {
  return lost(at).find(([name]) => name === cause)?.[1] ?? 0;
}

// The causes in the order in which they are stacked: the chosen one first, so that its steps can be compared.
function order() {
  const all = data.diagnosis.causes.map(({ cause }) => cause);
  return selection.cause ? [selection.cause, ...all.filter((cause) => cause !== selection.cause)] : all;
}

function series() {
  const found = [];
  gpus.forEach((gpu, place) => {
    const lines = [...(selection.cause ? [] : ["compute"]), ...order().filter((cause) => gpu.lost_ns[cause])];
    if (selection.cause) lines.push("compute");
    for (const cause of lines) {
      const faded = selection.cause !== null && selection.cause !== cause;
      found.push({
        type: "bar",
        name: cause,
        stack: `gpu ${gpu.gpu}`,
        xAxisIndex: place,
        yAxisIndex: place,
        barCategoryGap: numbers.length > 300 ? "0%" : "12%",
        barMaxWidth: 64,
        data: cause === "compute" ? gpu.compute_ns : gpu.lost_ns[cause],
        itemStyle: { color: faded ? variable("--faded") : colour(cause) },
        emphasis: { disabled: true },
        animation: false,
        markLine: found.some((one) => one.stack === `gpu ${gpu.gpu}`) ? undefined : predictedLine(),
      });
    }
  });
  found.push(chosen());
  return found;
}

function predictedLine() {
  const ns = predicted();
  if (!ns || numbers.length < 2) return undefined;
  return {
    silent: true,
    symbol: "none",
    lineStyle: { color: variable("--ink"), type: [4, 4], width: 1 },
    label: { show: false },
    data: [{ yAxis: ns }],
    animation: false,
  };
}

// A frame around the step that is chosen, on all GPUs.
function chosen() {
  return {
    type: "custom",
    silent: true,
    xAxisIndex: 0,
    yAxisIndex: 0,
    data: selection.step === null ? [] : [[numbers.indexOf(selection.step), 0]],
    animation: false,
    renderItem: (_, api) => {
      const [middle] = api.coord([api.value(0), 0]);
      const width = Math.max(3, api.size([1, 0])[0]);
      const height = gpus.length * GRID - 16;
      const style = { fill: "transparent", stroke: variable("--ink"), lineWidth: 1.5 };
      return { type: "rect", shape: { x: middle - width / 2, y: 10, width, height }, style, z2: 100 };
    },
  };
}

function option() {
  const [unit, size] = scale(longest);
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    aria: { enabled: false },
    tooltip: { ...tooltip((items) => tip(items[0].dataIndex)), trigger: "axis", axisPointer: { type: "none" } },
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    grid: gpus.map((_, place) => ({ left: LEFT, right: 8, top: 14 + place * GRID, height: GRID - 22 })),
    xAxis: gpus.map((_, place) => ({
      ...axis(),
      type: "category",
      gridIndex: place,
      data: numbers,
      axisLabel: { ...axis().axisLabel, show: place === gpus.length - 1 },
      name: place === gpus.length - 1 ? "step" : "",
      nameLocation: "middle",
      nameGap: 24,
      nameTextStyle: { color: variable("--quiet") },
    })),
    yAxis: gpus.map((gpu, place) => ({
      ...axis(),
      type: "value",
      gridIndex: place,
      max: longest,
      splitNumber: 3,
      axisLine: { show: false },
      axisLabel: { ...axis().axisLabel, showMaxLabel: false, formatter: (ns) => (ns ? `${ns / size} ${unit}` : gpus.length > 1 ? `GPU ${gpu.gpu}` : "0") },
    })),
    series: series(),
  };
}

function tip(at) {
  const [unit] = [numbers[at]];
  const rows = gpus.map((gpu) => [
    gpus.length > 1 && el("p", {}, el("strong", {}, `GPU ${gpu.gpu}`)),
    el("dl", {}, [["compute", gpu.compute_ns[at]], ...lost(at, [gpu])].slice(0, 8).map(([cause, ns]) => [el("dt", {}, swatch(cause), cause), el("dd", {}, duration(ns))]).flat()),
  ]);
  const kept = timeline(unit) ? null : el("p", { class: "quiet" }, "without a timeline in this page");
  return el("div", { class: "tip" }, el("p", {}, el("strong", {}, `Step ${unit}`), ` ${duration(lengths[at])}`), rows.flat(), kept);
}

function draw(box) {
  const { instance, draw: redraw } = chart(box, option);
  const choose = (at) => select({ step: numbers[Math.min(numbers.length - 1, Math.max(0, at))] });
  instance.getZr().on("click", ({ offsetX }) => {
    const [at] = instance.convertFromPixel({ gridIndex: 0 }, [offsetX, 20]);
    choose(Math.round(at));
  });
  box.addEventListener("keydown", (event) => {
    const at = numbers.indexOf(selection.step);
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageUp: at + 10, PageDown: at - 10, Home: 0, End: numbers.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  });
  onSelection((before) => {
    if (before.step === selection.step && before.cause === selection.cause) return;
    announce(box);
    redraw();
  });
  announce(box);
}

function announce(box) {
  const at = numbers.indexOf(selection.step);
  box.setAttribute("aria-valuenow", numbers[at]);
  box.setAttribute("aria-valuetext", inWords(at));
}

// The same as a table, made when it is opened.
function stepsTable() {
  const details = el("details", {}, el("summary", {}, "The steps as a table"));
  const fill = () => {
    if (details.open && !details.querySelector("table")) details.append(el("div", { class: "scroll" }, gpus.map(tableOf)));
  };
  details.addEventListener("toggle", fill);
  return details;
}

function tableOf(gpu) {
  const causes = data.diagnosis.causes.map(({ cause }) => cause).filter((cause) => gpu.lost_ns[cause]);
  return table({
    caption: gpus.length > 1 ? `GPU ${gpu.gpu}` : "Compute and lost time of each step",
    columns: ["step", "length", "compute", ...causes].map((head) => ({ head })),
    rows: numbers.map((number, at) => [
      el("a", { href: `#step=${number}` }, `${number}`),
      duration(lengths[at]),
      duration(gpu.compute_ns[at]),
      ...causes.map((cause) => (gpu.lost_ns[cause][at] ? duration(gpu.lost_ns[cause][at]) : "")),
    ]),
  });
}
