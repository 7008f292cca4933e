// The steps of each trace as bars, all on one scale.
import { axis, chart, font, tooltip } from "./chart.js";
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { section } from "./section.js";
import { variable } from "./theme.js";
import { duration, scale } from "./units.js";

const GRID = 96; // pixels for the bars of one trace
const traces = data.traces.filter(({ lengths_ns: lengths }) => lengths.length > 1);
const longest = Math.max(0, ...traces.flatMap(({ lengths_ns: lengths }) => lengths));

export function trend() {
  if (!traces.length) return [null, () => {}];
  const box = el("div", { class: "chart", id: "bars", role: "img", "aria-label": "The length of each step; the table below has the same" });
  box.style.setProperty("--height", `${traces.length * GRID + 24}px`);
  return [section("steps", "Every step", box, asTable()), () => chart(box, option)];
}

function option() {
  const [unit, size] = scale(longest);
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    tooltip: { ...tooltip(([{ dataIndex, axisIndex, value }]) => el("div", { class: "tip" }, `${traces[axisIndex].label}, step ${dataIndex + 1}: ${duration(value)}`)), trigger: "axis", axisPointer: { type: "none" } },
    grid: traces.map((_, place) => ({ left: 64, right: 8, top: 12 + place * GRID, height: GRID - 24 })),
    xAxis: traces.map(({ lengths_ns: lengths }, place) => ({ ...axis(), type: "category", gridIndex: place, data: lengths.map((_, at) => at + 1), axisLabel: { ...axis().axisLabel, show: place === traces.length - 1 } })),
    yAxis: traces.map(({ label }, place) => ({
      ...axis(),
      type: "value",
      gridIndex: place,
      max: longest,
      splitNumber: 2,
      axisLine: { show: false },
      axisLabel: { ...axis().axisLabel, showMaxLabel: false, formatter: (ns) => (ns ? `${ns / size} ${unit}` : label) },
    })),
    series: traces.map(({ lengths_ns: lengths }, place) => ({ type: "bar", xAxisIndex: place, yAxisIndex: place, data: lengths, barMaxWidth: 64, barCategoryGap: "12%", animation: false, itemStyle: { color: variable("--op-copy") } })),
  };
}

function asTable() {
  const details = el("details", {}, el("summary", {}, "The steps as a table"));
  const most = Math.max(...traces.map(({ lengths_ns: lengths }) => lengths.length));
  details.addEventListener("toggle", () => {
    if (!details.open || details.querySelector("table")) return;
    const rows = Array.from({ length: most }, (_, at) => [`${at + 1}`, ...traces.map(({ lengths_ns: lengths }) => (lengths[at] === undefined ? "" : duration(lengths[at])))]);
    details.append(el("div", { class: "scroll" }, table({ columns: [{ head: "step" }, ...traces.map(({ label }) => ({ head: label }))], rows })));
  });
  return details;
}
