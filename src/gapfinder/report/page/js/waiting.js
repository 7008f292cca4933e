// Who was late: in which steps, how long it was waited for, and what it did instead.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { framed, heatMap } from "./heat.js";
import { section } from "./section.js";
import { behind, stacked, timeAxis } from "./stacked.js";
import { onTheme, swatch } from "./theme.js";
import { count, duration, percent } from "./units.js";

export function waiting() {
  const { late, waits } = data.job;
  if (!waits.length) return [section("waiting", "Who was late", el("p", {}, late)), () => {}];
  const box = el("div", { class: "chart waits", role: "img", "aria-label": "Waiting in each step; the table below has the same" });
  const map = byRank();
  onTheme(map.paint);
  const shape = byStep();
  const about = "Bars: what waiting costs each step, in the colour of what the late rank did instead. Below, a row for each rank: the stronger its colour, the longer it was waited for in that step. A step of the job goes from the last collective of one to that of the next.";
  const found = section(
    "waiting",
    "Who was late",
    el("p", {}, late),
    charges(),
    el("p", { class: "quiet after" }, about),
    box,
    framed(map.box, data.job.ranks.map(({ rank }) => `rank ${rank}`)),
    behind("Waiting by step as a table", asTable),
  );
  return [found, () => stacked(box, () => shape)];
}

function charges() {
  const { charges: rows } = data.job;
  if (!rows.length) return null;
  const columns = [{ head: "late" }, { head: "what it did instead", class: "left" }, { head: "of the waiting" }];
  return el("div", { class: "scroll" }, table({ columns, rows: rows.map(({ rank, cause, share }) => [`rank ${rank}`, [swatch(cause), cause], percent(share)]) }));
}

function byStep() {
  const { steps, waits } = data.job;
  const amounts = Array.from({ length: steps }, () => ({}));
  for (const { step, cause, waiting_ns: ns } of waits) amounts[step][cause] = (amounts[step][cause] ?? 0) + ns;
  const longest = Math.max(...amounts.map((amount) => Object.values(amount).reduce((sum, ns) => sum + ns, 0)));
  const names = amounts.map((_, step) => `step ${step + 1}`);
  return { names, amounts, causes: [...new Set(waits.map(({ cause }) => cause))], written: duration, axisOf: timeAxis(longest) };
}

function byRank() {
  const { ranks, steps, waits } = data.job;
  const row = new Map(ranks.map(({ rank }, at) => [rank, at]));
  const cells = ranks.map(() => Array(steps).fill(0));
  const did = new Map();
  for (const { step, rank, cause, waiting_ns: ns } of waits) {
    cells[row.get(rank)][step] = ns;
    did.set(`${rank} ${step}`, cause);
  }
  const drawn = { rows: ranks.length, columns: steps, top_ns: Math.max(...waits.map(({ waiting_ns: ns }) => ns)) };
  return heatMap(drawn, cells, "Waiting for each rank by step", (at, step, ns) => {
    const { rank } = ranks[at];
    return `rank ${rank}, step ${step + 1}: ${ns ? `${duration(ns)} waited for it, in ${did.get(`${rank} ${step}`)}` : "not waited for"}`;
  });
}

function asTable() {
  return {
    caption: `Of ${count(data.job.steps, "step")}, those in which a rank was late`,
    columns: [{ head: "step" }, { head: "late" }, { head: "what it did instead", class: "left" }, { head: "waiting" }],
    rows: data.job.waits.map(({ step, rank, cause, waiting_ns: ns }) => [`${step + 1}`, `rank ${rank}`, [swatch(cause), cause], duration(ns)]),
  };
}
