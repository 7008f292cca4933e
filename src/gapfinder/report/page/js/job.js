// One job: how each rank's step is spent, and what it loses from step to step. The address has the job, as #job=2.
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { cellsOf, framed, heatMap } from "./heat.js";
import { behind, stacked, timeAxis } from "./stacked.js";
import { onTheme } from "./theme.js";
import { duration } from "./units.js";

const causes = data.causes.map(({ cause }) => cause);
let shape = null;
let chart = null;
let repaint = () => {};
onTheme(() => repaint());

export function job() {
  if (!data.drawn.length) return [null, () => {}];
  const choice = el("select", { id: "job", "aria-label": "Job" }, data.drawn.map(({ job: name }, at) => el("option", { value: at }, name)));
  const bars = el("div", { class: "chart ranks", role: "img", "aria-label": "How the step of each rank is spent; the table below has the same" });
  const ranksTable = el("div");
  const heat = el("div", { id: "heat" });
  const title = el("h2", { id: "ranks-title" }, "Ranks of ");
  const section = el(
    "section",
    { id: "ranks", "aria-labelledby": "ranks-title" },
    el("div", { class: "title" }, title, el("div", { class: "theme" }, choice)),
    bars,
    ranksTable,
    heat,
  );
  const show = (at) => {
    const drawn = data.drawn[at];
    choice.value = at;
    shape = shapeOf(drawn);
    chart = chart ?? stacked(bars, () => shape);
    chart.draw();
    replace(ranksTable, behind("The ranks as a table", () => tableOf(drawn, shape)));
    replace(heat, lost(drawn));
  };
  const asked = () => Math.min(data.drawn.length - 1, Math.max(0, Math.trunc(Number(new URLSearchParams(location.hash.slice(1)).get("job"))) || 0));
  choice.addEventListener("change", () => {
    history.replaceState(null, "", `#job=${choice.value}`);
    show(Number(choice.value));
  });
  addEventListener("hashchange", () => {
    show(asked());
    section.scrollIntoView({ block: "start" });
  });
  return [section, () => show(asked())];
}

function shapeOf(drawn) {
  return {
    names: drawn.labels,
    amounts: drawn.shares.map((shares, row) => Object.fromEntries(Object.entries(shares).map(([cause, share]) => [cause, share * drawn.step_ns[row]]))),
    causes: causes.filter((cause) => drawn.shares.some((shares) => shares[cause])),
    written: duration,
    axisOf: timeAxis(Math.max(...drawn.step_ns)),
  };
}

function tableOf(drawn, { names, amounts, causes: met }) {
  return {
    caption: drawn.traces_per_row > 1 ? "Per step, as the mean of the ranks of a row" : "Per step",
    columns: ["rank", "step", ...met].map((head) => ({ head })),
    rows: names.map((name, row) => [name, duration(drawn.step_ns[row]), ...met.map((cause) => (amounts[row][cause] ? duration(amounts[row][cause]) : ""))]),
  };
}

function lost(drawn) {
  if (drawn.first_step === null) return el("p", {}, "Its traces have no steps.");
  const cells = cellsOf(drawn);
  const stepsOf = (column) => {
    const first = drawn.first_step + column * drawn.steps_per_column;
    const last = Math.min(first + drawn.steps_per_column, drawn.first_step + drawn.steps) - 1;
    return first === last ? `step ${first}` : `steps ${first} to ${last}`;
  };
  const map = heatMap(drawn, cells, "Lost time by rank and step", (row, column, ns) => `${drawn.labels[row]}, ${stepsOf(column)}: ${ns === null ? "no such step" : `${duration(ns)} lost`}`);
  repaint = map.paint;
  const many = drawn.traces_per_row > 1 || drawn.steps_per_column > 1;
  const about = `A row for each rank, a column for each step; the stronger its colour, the more of it is lost, at most ${duration(drawn.top_ns)}.${many ? " A cell that stands for several shows the worst of them." : ""}`;
  return [
    el("h3", {}, "Lost time by rank and step"),
    el("p", { class: "quiet" }, about),
    framed(map.box, drawn.labels, [stepsOf(0), stepsOf(drawn.columns - 1)]),
    behind("Lost time by rank as a table", () => ({
      columns: ["rank", "typical step", "worst step", "which"].map((head) => ({ head })),
      rows: drawn.labels.map((label, row) => [label, ...inNumbers(cells[row], stepsOf)]),
    })),
  ];
}

function inNumbers(row, stepsOf) {
  const known = row.filter((ns) => ns !== null).sort((one, other) => one - other);
  if (!known.length) return ["", "", ""];
  const worst = known.at(-1);
  return [duration(known[Math.floor((known.length - 1) / 2)]), duration(worst), stepsOf(row.indexOf(worst))];
}
