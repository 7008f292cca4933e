// The fleet from day to day.
import { data } from "./data.js";
import { el } from "./dom.js";
import { section } from "./section.js";
import { behind, stacked } from "./stacked.js";
import { count, percent } from "./units.js";

const causes = data.causes.map(({ cause }) => cause);

export function days() {
  const box = el("div", { class: "chart days", role: "img", "aria-label": "Shares of the GPU time of each day; the table below has the same" });
  const rows = () => ({
    columns: ["day", "traces", ...causes].map((head) => ({ head })),
    rows: data.days.map(({ day, traces, shares }) => [day, traces.toLocaleString("en"), ...causes.map((cause) => (shares[cause] ? percent(shares[cause]) : ""))]),
  });
  const from = data.days.length > 1 ? `${count(data.days.length, "day")} on which traces were captured, in UTC.` : "All traces are of one day.";
  const found = section("days", "From day to day", el("p", { class: "quiet" }, from), box, behind("The days as a table", rows));
  const shape = {
    names: data.days.map(({ day }) => day),
    amounts: data.days.map(({ shares }) => shares),
    causes,
    written: percent,
    axisOf: ({ axisLabel }) => ({ max: 1, interval: 0.25, axisLabel: { ...axisLabel, formatter: (share) => `${Math.round(100 * share)} %` } }),
  };
  return [found, () => stacked(box, () => shape)];
}
