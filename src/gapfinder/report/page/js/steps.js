// The ledger of each step as a bar, so that an unusual step stands out. A click or the arrow keys select a step.
import { axis, chart, font, tooltip } from "./chart.js";
import { data } from "./data.js";
import { el, foldedTable, replace, table } from "./dom.js";
import { isShortened, unit } from "./means.js";
import { onSelection, select, selection } from "./selection.js";
import { causeHex, cssVariable, swatch } from "./theme.js";
import { axisUnit, duration, percent } from "./units.js";

const { number: numbers, length_ns: lengths, gpus } = data.steps;
const { causes, verdict } = data.diagnosis;
const GRID = 118; // pixels for the bars of one GPU
const LEFT = 52; // pixels for the axis
const LISTED = 8; // lines in a tooltip
const MANY = 300; // bars that have no room for space between them
const longest = Math.max(...lengths);

// The step of median length, which stands for most of them, and the slowest: indices of the lists of `data.steps`.
export const typical = [...numbers.keys()].sort((one, other) => lengths[one] - lengths[other])[
  Math.floor((numbers.length - 1) / 2)
];
export const slowest = lengths.indexOf(longest);

// How long a step is, and how much of it is lost: {time, lost}.
export function summary(index) {
  const lost = lostByCause(index);
  const total = lost.reduce((sum, [, ns]) => sum + ns, 0);
  const most = lost.length ? `, the largest part to ${lost[0][0]}` : "";
  return { time: duration(lengths[index]), lost: `${percent(total / lengths[index])} lost${most}` };
}

// Lost time of a step, as the mean of some GPUs: [cause, ns], most first.
function lostByCause(index, among = gpus) {
  const lost = new Map();
  for (const gpu of among) {
    for (const [cause, ns] of Object.entries(gpu.lost_ns)) {
      if (ns[index]) lost.set(cause, (lost.get(cause) ?? 0) + ns[index] / among.length);
    }
  }
  return [...lost].sort((one, other) => other[1] - one[1]);
}

function lostTo(cause, index) {
  return lostByCause(index).find(([name]) => name === cause)?.[1] ?? 0;
}

// The section, and a function that draws the chart in it; nothing where there is one step.
export function stepsSection() {
  if (numbers.length < 2) return [null, () => {}];
  const box = el("div", {
    id: "bars",
    class: "chart",
    tabindex: "0",
    role: "slider",
    "aria-label": "Step. Arrow keys select one",
    "aria-valuemin": numbers[0],
    "aria-valuemax": numbers.at(-1),
    "aria-orientation": "horizontal",
  });
  box.style.setProperty("--height", `${gpus.length * GRID + 52}px`);
  const links = el("p", { class: "quiet" });
  const section = el(
    "section",
    { id: "steps", "aria-labelledby": "steps-title" },
    el("div", { class: "title" }, el("h2", { id: "steps-title" }, `Every ${unit}`), links),
    box,
    foldedTable(`Every ${unit} as a table`, () => gpus.map(tableOf), "scroll"),
  );
  showLinks(links);
  onSelection(() => showLinks(links));
  return [section, () => start(box)];
}

// Links to the steps to look at first, and what the dashed line is.
function showLinks(links) {
  const link = (index) => el("a", { href: `#step=${numbers[index]}` }, `${unit} ${numbers[index]}`);
  const cause = causeInFocus();
  const most = [...numbers.keys()].reduce((one, other) => (lostTo(cause, other) > lostTo(cause, one) ? other : one), 0);
  const without = predictedWithout(cause);
  const lost = lostTo(cause, most);
  replace(
    links,
    el(
      "span",
      {},
      "Slowest: ",
      link(slowest),
      `, ${duration(longest)}. Typical: `,
      link(typical),
      `, ${duration(lengths[typical])}.`,
    ),
    lost > 0 && el("span", {}, ` Most ${cause}: `, link(most), `, ${duration(lost)}.`),
    without && el("span", {}, ` Dashed: without ${cause}, ${duration(without)}.`),
  );
}

// The selected cause, else that of the verdict.
function causeInFocus() {
  return selection.cause ?? verdict.cause;
}

// The length of a step without a cause, as the replay predicts it.
function predictedWithout(name) {
  return isShortened ? causes.find(({ cause }) => cause === name)?.predicted_step_ns : null;
}

// What the bars of a GPU are stacked of, from below: the selected cause first, so that its steps can be compared.
function stackOf(gpu) {
  const lost = causes.map(({ cause }) => cause).filter((cause) => gpu.lost_ns[cause]);
  if (!selection.cause) return ["compute", ...lost];
  const others = lost.filter((cause) => cause !== selection.cause);
  return [...(others.length < lost.length ? [selection.cause] : []), ...others, "compute"];
}

function series() {
  const bars = gpus.flatMap((gpu, place) =>
    stackOf(gpu).map((cause, level) => {
      const faded = selection.cause !== null && selection.cause !== cause;
      return {
        type: "bar",
        name: cause,
        stack: `gpu ${gpu.gpu}`,
        xAxisIndex: place,
        yAxisIndex: place,
        barCategoryGap: numbers.length > MANY ? "0%" : "12%",
        barMaxWidth: 64,
        data: cause === "compute" ? gpu.compute_ns : gpu.lost_ns[cause],
        itemStyle: { color: faded ? cssVariable("--faded") : causeHex(cause) },
        emphasis: { disabled: true },
        animation: false,
        markLine: level === 0 ? predictedLine() : undefined,
      };
    }),
  );
  return [...bars, selectedFrame()];
}

function predictedLine() {
  const ns = predictedWithout(causeInFocus());
  if (!ns) return undefined;
  return {
    silent: true,
    symbol: "none",
    lineStyle: { color: cssVariable("--ink"), type: [4, 4], width: 1 },
    label: { show: false },
    data: [{ yAxis: ns }],
    animation: false,
  };
}

// A frame around the selected step, on all GPUs.
function selectedFrame() {
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
      const style = { fill: "transparent", stroke: cssVariable("--ink"), lineWidth: 1.5 };
      return { type: "rect", shape: { x: middle - width / 2, y: 10, width, height }, style, z2: 100 };
    },
  };
}

function option() {
  const [timeUnit, size] = axisUnit(longest);
  const last = gpus.length - 1;
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
      axisLabel: { ...axis().axisLabel, show: place === last },
      name: place === last ? unit : "",
      nameLocation: "middle",
      nameGap: 24,
      nameTextStyle: { color: cssVariable("--quiet") },
    })),
    yAxis: gpus.map((gpu, place) => {
      const zero = gpus.length > 1 ? `GPU ${gpu.gpu}` : "0";
      const formatter = (ns) => (ns ? `${ns / size} ${timeUnit}` : zero);
      return {
        ...axis(),
        type: "value",
        gridIndex: place,
        max: longest,
        splitNumber: 3,
        axisLine: { show: false },
        axisLabel: { ...axis().axisLabel, showMaxLabel: false, formatter },
      };
    }),
    series: series(),
  };
}

function tip(index) {
  const step = numbers[index];
  const ledgers = gpus.map((gpu) => {
    const lines = [["compute", gpu.compute_ns[index]], ...lostByCause(index, [gpu])].slice(0, LISTED);
    return [
      gpus.length > 1 && el("p", {}, el("strong", {}, `GPU ${gpu.gpu}`)),
      el(
        "dl",
        {},
        lines.flatMap(([cause, ns]) => [el("dt", {}, swatch(cause), cause), el("dd", {}, duration(ns))]),
      ),
    ];
  });
  return el(
    "div",
    { class: "tip" },
    el("p", {}, el("strong", {}, `${unit} ${step}`), ` ${duration(lengths[index])}`),
    ledgers.flat(),
  );
}

function start(box) {
  const { instance, draw } = chart(box, option);
  const selectStep = (index) => select({ step: numbers[Math.min(numbers.length - 1, Math.max(0, index))] });
  instance.getZr().on("click", ({ offsetX }) => {
    const [index] = instance.convertFromPixel({ gridIndex: 0 }, [offsetX, 20]);
    selectStep(Math.round(index));
  });
  box.addEventListener("keydown", (event) => {
    const index = numbers.indexOf(selection.step);
    const targets = {
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      PageUp: index + 10,
      PageDown: index - 10,
      Home: 0,
      End: numbers.length - 1,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    selectStep(targets[event.key]);
  });
  onSelection((before) => {
    if (before.step === selection.step && before.cause === selection.cause) return;
    announce(box);
    draw();
  });
  announce(box);
}

// Says the selected step to screen readers.
function announce(box) {
  const { time, lost } = summary(numbers.indexOf(selection.step));
  box.setAttribute("aria-valuenow", selection.step);
  box.setAttribute("aria-valuetext", `${unit} ${selection.step}: ${time}, ${lost}`);
}

function tableOf(gpu) {
  const lost = causes.map(({ cause }) => cause).filter((cause) => gpu.lost_ns[cause]);
  return table({
    caption: gpus.length > 1 ? `GPU ${gpu.gpu}` : `Compute and lost time of each ${unit}`,
    columns: [unit, "length", "compute", ...lost].map((head) => ({ head })),
    rows: numbers.map((number, index) => [
      el("a", { href: `#step=${number}` }, `${number}`),
      duration(lengths[index]),
      duration(gpu.compute_ns[index]),
      ...lost.map((cause) => (gpu.lost_ns[cause][index] ? duration(gpu.lost_ns[cause][index]) : "")),
    ]),
  });
}
