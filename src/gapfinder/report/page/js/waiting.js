// Which rank was late: in which steps, how long the others waited for it, and what it did instead.
import { data } from "./data.js";
import { el, foldedTable, table } from "./dom.js";
import { heatMap, withLabels } from "./heat_map.js";
import { section } from "./parts.js";
import { stacked, timeAxis } from "./stacked.js";
import { onTheme, swatch } from "./theme.js";
import { count, duration, percent } from "./units.js";

const { job } = data;
const indexOf = new Map(job?.step_numbers.map((step, index) => [step, index])); // of a step in the charts
const ABOUT =
  "Bars: what waiting costs each step, in the color of what the late rank did instead. Below, a row for each rank: the stronger " +
  "its color, the longer the others waited for it in that step. A step of the job goes from the last collective of the step before to its own.";

// The section, and a function that draws the chart in it.
export function waitingSection() {
  if (!job.waits.length) return [section("waiting", "Who was late", el("p", {}, job.late)), () => {}];
  const box = el("div", {
    class: "chart waits",
    role: "img",
    "aria-label": "Waiting in each step; the table below says the same",
  });
  const map = mapByRank();
  onTheme(map.paint);
  const bars = barsByStep();
  const ranks = job.ranks.map(({ rank }) => `rank ${rank}`);
  const found = section(
    "waiting",
    "Who was late",
    el("p", {}, job.late),
    job.charges.length > 0 && lateRanks(),
    el("p", { class: "quiet after" }, ABOUT),
    box,
    withLabels(map.box, ranks),
    foldedTable("Waiting by step as a table", waitTable),
  );
  return [found, () => stacked(box, () => bars)];
}

function lateRanks() {
  const columns = [{ head: "late" }, { head: "what it did instead", class: "left" }, { head: "of the waiting" }];
  const rows = job.charges.map(({ rank, cause, share }) => [`rank ${rank}`, [swatch(cause), cause], percent(share)]);
  return el("div", { class: "scroll" }, table({ columns, rows }));
}

function barsByStep() {
  const amounts = job.step_numbers.map(() => ({}));
  for (const { step, cause, waiting_ns: ns } of job.waits) {
    const amount = amounts[indexOf.get(step)];
    amount[cause] = (amount[cause] ?? 0) + ns;
  }
  const longest = Math.max(...amounts.map((amount) => Object.values(amount).reduce((sum, ns) => sum + ns, 0)));
  return {
    names: job.step_numbers.map((step) => `step ${step}`),
    amounts,
    causes: [...new Set(job.waits.map(({ cause }) => cause))],
    write: duration,
    axisOf: timeAxis(longest),
  };
}

function mapByRank() {
  const { ranks, step_numbers: numbers, waits } = job;
  const rowOf = new Map(ranks.map(({ rank }, row) => [rank, row]));
  const cells = ranks.map(() => numbers.map(() => 0));
  const causes = ranks.map(() => []);
  for (const { step, rank, cause, waiting_ns: ns } of waits) {
    cells[rowOf.get(rank)][indexOf.get(step)] = ns;
    causes[rowOf.get(rank)][indexOf.get(step)] = cause;
  }
  const top = Math.max(...waits.map(({ waiting_ns: ns }) => ns));
  return heatMap({ cells, top, label: "Waiting for each rank by step" }, (row, column) => {
    const ns = cells[row][column];
    const waited = ns ? `${duration(ns)} waited for it, in ${causes[row][column]}` : "not waited for";
    return `rank ${ranks[row].rank}, step ${numbers[column]}: ${waited}`;
  });
}

function waitTable() {
  return table({
    caption: `Of ${count(job.steps, "step")}, those in which a rank was late`,
    columns: [{ head: "step" }, { head: "late" }, { head: "what it did instead", class: "left" }, { head: "waiting" }],
    rows: job.waits.map(({ step, rank, cause, waiting_ns: ns }) => [
      `${step}`,
      `rank ${rank}`,
      [swatch(cause), cause],
      duration(ns),
    ]),
  });
}
