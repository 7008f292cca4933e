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
    el("div", { class: "tip" }, `${traces[trace].label}, step ${index + 1}: ${duration(value)}`);
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    tooltip: { ...tooltip(tip), trigger: "axis", axisPointer: { type: "none" } },
    grid: traces.map((_, place) => ({ left: 64, right: 8, top: 12 + place * GRID, height: GRID - 24 })),
    xAxis: traces.map(({ lengths_ns: lengths }, place) => ({
      ...axis(),
      type: "category",
      gridIndex: place,
      data: lengths.map((_, index) => index + 1),
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
  const most = Math.max(...traces.map(({ lengths_ns: lengths }) => lengths.length));
  const cell = (ns) => (ns === undefined ? "" : duration(ns));
  return table({
    columns: ["step", ...traces.map(({ label }) => label)].map((head) => ({ head })),
    rows: Array.from({ length: most }, (_, index) => [
      `${index + 1}`,
      ...traces.map(({ lengths_ns: lengths }) => cell(lengths[index])),
    ]),
  });
}
