// Bars of stacked causes with a table behind them: how the time of each rank or day is spent.
import { axis, chart, font, tooltip } from "./chart.js";
import { el, table } from "./dom.js";
import { colour, swatch } from "./theme.js";
import { scale } from "./units.js";

// Draws what `shape()` says: `names` are those of the bars; `amounts` has for each what it has of a cause; `written` writes an amount.
export function stacked(box, shape) {
  const tip = ([{ dataIndex: at }]) => {
    const { names, amounts, causes, written } = shape();
    const parts = causes.filter((cause) => amounts[at][cause]).sort((one, other) => amounts[at][other] - amounts[at][one]);
    const lines = parts.slice(0, 8).map((cause) => [el("dt", {}, swatch(cause), cause), el("dd", {}, written(amounts[at][cause]))]);
    return el("div", { class: "tip" }, el("p", {}, el("strong", {}, names[at])), el("dl", {}, lines.flat()));
  };
  return chart(box, () => option(shape(), tip));
}

function option({ names, amounts, causes, axisOf }, tip) {
  return {
    animation: false,
    textStyle: { fontFamily: font() },
    tooltip: { ...tooltip(tip), trigger: "axis", axisPointer: { type: "none" } },
    grid: { left: 60, right: 8, top: 12, bottom: 28 },
    xAxis: { ...axis(), type: "category", data: names, axisLabel: { ...axis().axisLabel, hideOverlap: true } },
    yAxis: { ...axis(), type: "value", splitNumber: 3, axisLine: { show: false }, ...axisOf(axis()) },
    series: causes.map((cause) => ({
      type: "bar",
      name: cause,
      stack: "time",
      data: amounts.map((amount) => amount[cause] ?? 0),
      barCategoryGap: names.length > 300 ? "0%" : "12%",
      barMaxWidth: 64,
      itemStyle: { color: colour(cause) },
      emphasis: { disabled: true },
      animation: false,
    })),
  };
}

// An axis of times up to the longest, ns.
export function timeAxis(longest) {
  const [unit, size] = scale(longest);
  return ({ axisLabel }) => ({ max: longest, axisLabel: { ...axisLabel, showMaxLabel: false, formatter: (ns) => (ns ? `${Number((ns / size).toPrecision(4))} ${unit}` : "0") } });
}

// The same as a table, made when it is opened.
export function behind(summary, made) {
  const details = el("details", {}, el("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector("table")) details.append(el("div", { class: "scroll tall" }, table(made())));
  });
  return details;
}
