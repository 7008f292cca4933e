// The page of a fleet.
import { bar, barPart } from "./bars.js";
import { data } from "./data.js";
import { daysSection } from "./days.js";
import { el, shareBar, table } from "./dom.js";
import { jobSection } from "./fleet_job.js";
import { section, showPage } from "./parts.js";
import { causeColor, swatch } from "./theme.js";
import { count, duration, percent, wholeNumber } from "./units.js";

function ledger() {
  const columns = [
    { head: "cause" },
    { head: "share" },
    { head: "", class: "share" },
    { head: "traces with it" },
    { head: "jobs" },
    { head: "most in", class: "text" },
  ];
  const rows = data.causes.map(({ cause, share, traces_with_finding: traces, jobs, worst_job: worst }) =>
    el(
      "tr",
      { class: traces > 0 && "finding" },
      el("th", { scope: "row" }, swatch(cause), cause),
      el("td", {}, percent(share)),
      shareBar(share, causeColor(cause)),
      el("td", {}, cause === "compute" ? "" : wholeNumber(traces)),
      el("td", {}, wholeNumber(jobs)),
      el("td", { class: "text" }, worst),
    ),
  );
  const caption = "How the GPU time is spent. A trace has a cause where the cause is large enough for a verdict.";
  return section("ledger", "The fleet", el("div", { class: "scroll" }, table({ caption, columns, rows })));
}

function jobs() {
  const columns = [
    { head: "job", class: "text" },
    { head: "traces" },
    { head: "unusable" },
    { head: "GPUs" },
    { head: "days" },
    { head: "step" },
    { head: "lost" },
    { head: "most to", class: "left" },
  ];
  const drawn = new Map(data.drawn.map(({ job }, index) => [job, index]));
  const rows = data.jobs.map((row) => [
    drawn.has(row.job) ? el("a", { href: `#job=${drawn.get(row.job)}` }, row.job) : row.job,
    wholeNumber(row.traces),
    row.bad_traces ? wholeNumber(row.bad_traces) : "",
    wholeNumber(row.gpus),
    row.first_day === row.last_day ? (row.first_day ?? "") : `${row.first_day} to ${row.last_day}`,
    row.step_ns === null ? "" : duration(row.step_ns),
    percent(row.lost_share),
    row.worst_cause === null ? "" : [swatch(row.worst_cause), row.worst_cause],
  ]);
  const caption =
    data.jobs_in_all > rows.length
      ? `The ${rows.length} of ${count(data.jobs_in_all, "job")} that lose most GPU time`
      : "Those that lose most GPU time first";
  return section("jobs", "Jobs", el("div", { class: "scroll" }, table({ caption, columns, rows })));
}

function outliers() {
  const title = "Ranks that stand out";
  if (!data.outliers.length) return section("outliers", title, el("p", {}, data.standing_out));
  const columns = [
    { head: "rank" },
    { head: "job", class: "left" },
    { head: "in", class: "left" },
    { head: "per step" },
    { head: "median" },
    { head: "of a step" },
    { head: "trace", class: "text" },
  ];
  const rows = data.outliers.map((row) => [
    row.rank === null ? "" : `${row.rank}`,
    row.job,
    row.cause === "step" ? "length of a step" : [swatch(row.cause), row.cause],
    duration(row.per_step_ns),
    duration(row.median_ns),
    `${row.excess_share > 0 ? "+" : "−"}${percent(Math.abs(row.excess_share))}`,
    row.trace,
  ]);
  const caption =
    "Far from the median of the ranks of the job: a modified z-score above 3.5, and more than 3 % of a step. " +
    "A job needs at least four ranks for it.";
  return section(
    "outliers",
    title,
    el("p", {}, data.standing_out),
    el("div", { class: "scroll tall" }, table({ caption, columns, rows })),
  );
}

function badTraces(id, traces, title) {
  if (!traces.length) return null;
  const columns = [
    { head: "trace", class: "text" },
    { head: "job", class: "left" },
    { head: "what is wrong with it", class: "text" },
  ];
  const rows = traces.map(({ trace, job, error }) => [trace, job, error]);
  return section(id, title, el("div", { class: "scroll tall" }, table({ columns, rows })));
}

const [days, drawDays] = daysSection();
const [job, drawJob] = jobSection();
showPage({
  subject: `${data.name}: ${count(data.traces, "trace")} of ${count(data.jobs_in_all, "job")}`,
  parts: [
    el("h1", {}, data.headline),
    data.outliers.length > 0 && el("p", {}, data.standing_out),
    bar(data.causes.map(({ cause, share }) => barPart(cause, share, percent(share)))),
    el("div", { class: "two" }, ledger(), days),
    jobs(),
    job,
    outliers(),
    badTraces("damaged", data.damaged, "Damaged traces"),
    badTraces("bad", data.bad, `${count(data.bad_traces, "trace")} that cannot be used`),
  ],
  draw: [drawDays, drawJob],
  footer: `Made by gapfinder ${data.version}. On every GPU of every trace, compute and the lost time of all causes add up to the window, to the nanosecond.`,
});
