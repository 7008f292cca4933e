// The steps of each trace of a comparison as bars, all on one scale.
import { axis, chart, font, tooltip } from "./chart.js";
import { data } from "./data.js";
import { el, foldedTable, table } from "./dom.js";
import { section } from "./parts.js";
import { cssVariable } from "./theme.js";
import { axisUnit, duration } from "./units.js";

const GRID = 96; // pixels for the bars of one trace
const traces = data.traces.filter(({ lengths_ns: lengths }) => lengths.length > 1);
const longest = Math.max(0, ...traces.flatMap(({ lengths_ns: lengths }) => lengths));

// The section, and a function that draws the chart in it.
export function trendSection() {
  if (!traces.length) return [null, () => {}];
  const box = el("div", {
    class: "chart",
    id: "bars",
    role: "img",
    "aria-label": "The length of each step; the table below says the same",
  });
  box.style.setProperty("--height", `${traces.length * GRID + 24}px`);
  const found = section("steps", "Every step", box, foldedTable("The steps as a table", stepTable, "scroll"));
  return [found, () => chart(box, option)];
}

function option() {
  const [unit, size] = axisUnit(longest);
  const tip = ([{ dataIndex: index, axisIndex: trace, value }]) =>
    el("div", { class: "tip" }, `${traces[trace].label}, step ${traces[trace].steps[index]}: ${duration(value)}`);
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    tooltip: { ...tooltip(tip), trigger: "axis", axisPointer: { type: "none" } },
    grid: traces.map((_, place) => ({ left: 64, right: 8, top: 12 + place * GRID, height: GRID - 24 })),
    xAxis: traces.map(({ steps }, place) => ({
      ...axis(),
      type: "category",
      gridIndex: place,
      data: steps,
      axisLabel: { ...axis().axisLabel, show: place === traces.length - 1 },
    })),
    yAxis: traces.map(({ label }, place) => {
      const formatter = (ns) => (ns ? `${ns / size} ${unit}` : label);
      return {
        ...axis(),
        type: "value",
        gridIndex: place,
        max: longest,
        splitNumber: 2,
        axisLine: { show: false },
        axisLabel: { ...axis().axisLabel, showMaxLabel: false, formatter },
      };
    }),
    series: traces.map(({ lengths_ns: lengths }, place) => ({
      type: "bar",
      xAxisIndex: place,
      yAxisIndex: place,
      data: lengths,
      barMaxWidth: 64,
      barCategoryGap: "12%",
      animation: false,
      itemStyle: { color: cssVariable("--activity-copy") },
    })),
  };
}

function stepTable() {
  const numbers = [...new Set(traces.flatMap(({ steps }) => steps))].sort((one, other) => one - other);
  const places = traces.map(({ steps }) => new Map(steps.map((number, index) => [number, index])));
  const cell = (number, trace) => {
    const ns = traces[trace].lengths_ns[places[trace].get(number)];
    return ns === undefined ? "" : duration(ns);
  };
  return table({
    columns: ["step", ...traces.map(({ label }) => label)].map((head) => ({ head })),
    rows: numbers.map((number) => [`${number}`, ...traces.map((_, trace) => cell(number, trace))]),
  });
}
