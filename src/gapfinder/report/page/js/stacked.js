// A chart of vertical bars, stacked by cause: how the time of each rank, step or day is spent.
import { axis, chart, font, tooltip } from "./chart.js";
import { el } from "./dom.js";
import { causeHex, swatch } from "./theme.js";
import { axisUnit } from "./units.js";

const LISTED = 8; // causes in a tooltip
const MANY = 300; // bars that have no room for space between them

// Draws what `bars()` returns: `names` of the bars; `amounts`, for each bar an amount by cause; `causes` in the order in which they
// are stacked; `write`, which writes an amount; `axisOf`, which makes the axis of the amounts.
export function stacked(box, bars) {
  const tip = ([{ dataIndex: index }]) => {
    const { names, amounts, causes, write } = bars();
    const amount = amounts[index];
    const largest = causes.filter((cause) => amount[cause]).sort((one, other) => amount[other] - amount[one]);
    const lines = largest
      .slice(0, LISTED)
      .map((cause) => [el("dt", {}, swatch(cause), cause), el("dd", {}, write(amount[cause]))]);
    return el("div", { class: "tip" }, el("p", {}, el("strong", {}, names[index])), el("dl", {}, lines.flat()));
  };
  return chart(box, () => option(bars(), tip));
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
      barCategoryGap: names.length > MANY ? "0%" : "12%",
      barMaxWidth: 64,
      itemStyle: { color: causeHex(cause) },
      emphasis: { disabled: true },
      animation: false,
    })),
  };
}

// An axis of times up to the longest, ns.
export function timeAxis(longest) {
  const [unit, size] = axisUnit(longest);
  const formatter = (ns) => (ns ? `${Number((ns / size).toPrecision(4))} ${unit}` : "0");
  return ({ axisLabel }) => ({ max: longest, axisLabel: { ...axisLabel, showMaxLabel: false, formatter } });
}
