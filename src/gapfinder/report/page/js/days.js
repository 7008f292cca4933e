// The causes of a fleet from day to day.
import { data } from "./data.js";
import { el, foldedTable, table } from "./dom.js";
import { section } from "./parts.js";
import { stacked } from "./stacked.js";
import { count, percent, wholeNumber } from "./units.js";

const causes = data.causes.map(({ cause }) => cause);

// The section, and a function that draws the chart in it.
export function daysSection() {
  const box = el("div", {
    class: "chart days",
    role: "img",
    "aria-label": "Shares of the GPU time of each day; the table below says the same",
  });
  const many = data.days.length > 1;
  const about = many ? `${count(data.days.length, "day")} on which traces were captured, in UTC.` : "All traces are of one day.";
  const found = section(
    "days",
    "From day to day",
    el("p", { class: "quiet" }, about),
    box,
    foldedTable("The days as a table", dayTable),
  );
  const bars = {
    names: data.days.map(({ day }) => day),
    amounts: data.days.map(({ shares }) => shares),
    causes,
    write: percent,
    axisOf: ({ axisLabel }) => ({
      max: 1,
      interval: 0.25,
      axisLabel: { ...axisLabel, formatter: (share) => `${Math.round(100 * share)} %` },
    }),
  };
  return [found, () => stacked(box, () => bars)];
}

function dayTable() {
  return table({
    columns: ["day", "traces", ...causes].map((head) => ({ head })),
    rows: data.days.map(({ day, traces, shares }) => [
      day,
      wholeNumber(traces),
      ...causes.map((cause) => (shares[cause] ? percent(shares[cause]) : "")),
    ]),
  });
}
