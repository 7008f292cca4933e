// One job of a fleet: how the step of each rank is spent, and what is lost from step to step. The address has the job, as #job=2.
import { data } from "./data.js";
import { el, foldedTable, replace, table } from "./dom.js";
import { heatMap, withLabels } from "./heat_map.js";
import { stacked, timeAxis } from "./stacked.js";
import { onTheme } from "./theme.js";
import { duration } from "./units.js";

const NO_STEP = 65535; // as in report/fleet.py
const TOP = 65000;
const causes = data.causes.map(({ cause }) => cause);

// The section, and a function that draws the chart in it.
export function jobSection() {
  if (!data.drawn.length) return [null, () => {}];
  const options = data.drawn.map(({ job }, index) => el("option", { value: index }, job));
  const choice = el("select", { id: "job", "aria-label": "Job" }, options);
  const box = el("div", {
    class: "chart ranks",
    role: "img",
    "aria-label": "How the step of each rank is spent; the table below says the same",
  });
  const verdict = el("p", { id: "job-verdict" });
  const ranksTable = el("div");
  const heat = el("div", { id: "heat" });
  const section = el(
    "section",
    { id: "ranks", "aria-labelledby": "ranks-title" },
    el("div", { class: "title" }, el("h2", { id: "ranks-title" }, "Ranks of "), el("div", { class: "theme" }, choice)),
    verdict,
    box,
    ranksTable,
    heat,
  );
  let bars = null;
  let chart = null;
  let repaint = () => {};
  onTheme(() => repaint());
  const show = (index) => {
    const job = data.drawn[index];
    choice.value = index;
    verdict.textContent = data.jobs.find((row) => row.job === job.job)?.headline ?? "";
    bars = barsOf(job);
    chart ??= stacked(box, () => bars);
    chart.draw();
    replace(
      ranksTable,
      foldedTable("The ranks as a table", () => rankTable(job, bars)),
    );
    if (job.first_step === null) {
      repaint = () => {};
      replace(heat, el("p", {}, "Its traces have no steps."));
      return;
    }
    const map = lostMap(job);
    repaint = map.paint;
    replace(heat, map.parts);
  };
  const showAddressed = () => {
    const asked = Number(new URLSearchParams(location.hash.slice(1)).get("job"));
    show(Math.min(data.drawn.length - 1, Math.max(0, Math.trunc(asked) || 0)));
  };
  choice.addEventListener("change", () => {
    history.replaceState(null, "", `#job=${choice.value}`);
    show(Number(choice.value));
  });
  addEventListener("hashchange", () => {
    showAddressed();
    section.scrollIntoView({ block: "start" });
  });
  return [section, showAddressed];
}

function barsOf({ labels, shares, step_ns: lengths }) {
  return {
    names: labels,
    amounts: shares.map((row, index) =>
      Object.fromEntries(Object.entries(row).map(([cause, share]) => [cause, share * lengths[index]])),
    ),
    causes: causes.filter((cause) => shares.some((row) => row[cause])),
    write: duration,
    axisOf: timeAxis(Math.max(...lengths)),
  };
}

function rankTable(job, { names, amounts, causes: found }) {
  return table({
    caption: job.traces_per_row > 1 ? "Per step, as the mean of the ranks of a row" : "Per step",
    columns: ["rank", "step", ...found].map((head) => ({ head })),
    rows: names.map((name, row) => {
      const amount = amounts[row];
      return [name, duration(job.step_ns[row]), ...found.map((cause) => (amount[cause] ? duration(amount[cause]) : ""))];
    }),
  });
}

// Lost time by rank and step: {parts, paint}.
function lostMap(job) {
  const cells = cellsOf(job);
  const stepsOf = (column) => {
    const first = job.first_step + column * job.steps_per_column;
    const last = Math.min(first + job.steps_per_column, job.first_step + job.steps) - 1;
    return first === last ? `step ${first}` : `steps ${first} to ${last}`;
  };
  const { box, paint } = heatMap({ cells, top: job.top_ns, label: "Lost time by rank and step" }, (row, column) => {
    const ns = cells[row][column];
    return `${job.labels[row]}, ${stepsOf(column)}: ${ns === null ? "no such step" : `${duration(ns)} lost`}`;
  });
  const severalPerCell = job.traces_per_row > 1 || job.steps_per_column > 1;
  const about =
    "A row for each rank, a column for each step; the stronger its color, the more of it is lost, " +
    `at most ${duration(job.top_ns)}.${severalPerCell ? " A cell that stands for several shows the worst of them." : ""}`;
  const makeTable = () =>
    table({
      columns: ["rank", "typical step", "worst step", "which"].map((head) => ({ head })),
      rows: job.labels.map((label, row) => [label, ...typicalAndWorst(cells[row], stepsOf)]),
    });
  const parts = [
    el("h3", {}, "Lost time by rank and step"),
    el("p", { class: "quiet" }, about),
    withLabels(box, job.labels, [stepsOf(0), stepsOf(job.columns - 1)]),
    foldedTable("Lost time by rank as a table", makeTable),
  ];
  return { parts, paint };
}

// What each cell lost, in ns, by row and column; null where there is no such step. It is encoded in two bytes: TOP times the root
// of its share of `top_ns`.
function cellsOf({ cells, columns, rows, top_ns: top }) {
  const bytes = new DataView(Uint8Array.from(atob(cells), (letter) => letter.charCodeAt(0)).buffer);
  const decode = (index) => {
    const value = bytes.getUint16(2 * index, true);
    return value === NO_STEP ? null : (value / TOP) ** 2 * top;
  };
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => decode(row * columns + column)));
}

// Of a row: the median, the largest, and the steps of the largest.
function typicalAndWorst(row, stepsOf) {
  const known = row.filter((ns) => ns !== null).sort((one, other) => one - other);
  if (!known.length) return ["", "", ""];
  const worst = known.at(-1);
  return [duration(known[Math.floor((known.length - 1) / 2)]), duration(worst), stepsOf(row.indexOf(worst))];
}
