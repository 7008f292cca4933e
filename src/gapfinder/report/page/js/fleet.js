// The page of a fleet.
import { data } from "./data.js";
import { days } from "./days.js";
import { el, replace, table } from "./dom.js";
import { job } from "./job.js";
import { piece } from "./pieces.js";
import { section } from "./section.js";
import { colourOf, knowCauses, swatch } from "./theme.js";
import { count, duration, percent } from "./units.js";

knowCauses(data.causes.map(({ cause }) => cause).filter((cause) => cause !== "compute"));

function meanBar() {
  return el("div", { class: "mean", "aria-hidden": "true" }, data.causes.map(({ cause, share }) => piece(cause, share, percent(share))));
}

function ledger() {
  const columns = [{ head: "cause" }, { head: "share" }, { head: "", class: "share" }, { head: "traces with it" }, { head: "jobs" }, { head: "most in", class: "text" }];
  const rows = data.causes.map((row) => {
    const bar = el("i", { colour: colourOf(row.cause) });
    bar.style.width = `${100 * row.share}%`;
    const found = row.cause !== "compute";
    return el(
      "tr",
      { class: row.traces_worth > 0 && "worth" },
      el("th", { scope: "row" }, swatch(row.cause), row.cause),
      el("td", {}, percent(row.share)),
      el("td", { class: "share", "aria-hidden": "true" }, bar),
      el("td", {}, found ? row.traces_worth.toLocaleString("en") : ""),
      el("td", {}, row.jobs.toLocaleString("en")),
      el("td", { class: "text" }, row.worst_job),
    );
  });
  const caption = "Where the GPU time goes. A trace has a cause where it is large enough for a verdict.";
  return section("ledger", "The fleet", el("div", { class: "scroll" }, table({ caption, columns, rows })));
}

function jobs() {
  const columns = [{ head: "job", class: "text" }, { head: "traces" }, { head: "unread" }, { head: "GPUs" }, { head: "days" }, { head: "step" }, { head: "lost" }, { head: "most to", class: "left" }];
  const drawn = new Map(data.drawn.map(({ job: name }, at) => [name, at]));
  const rows = data.jobs.map((row) => [
    drawn.has(row.job) ? el("a", { href: `#job=${drawn.get(row.job)}` }, row.job) : row.job,
    row.traces.toLocaleString("en"),
    row.bad_traces ? row.bad_traces.toLocaleString("en") : "",
    row.gpus.toLocaleString("en"),
    row.first_day === row.last_day ? (row.first_day ?? "") : `${row.first_day} to ${row.last_day}`,
    row.step_ns === null ? "" : duration(row.step_ns),
    percent(row.lost_share),
    row.worst_cause === null ? "" : [swatch(row.worst_cause), row.worst_cause],
  ]);
  const caption = data.jobs_in_all > rows.length ? `Those of ${count(data.jobs_in_all, "job")} that lose most GPU time` : "Those that lose most GPU time first";
  return section("jobs", "Jobs", el("div", { class: "scroll" }, table({ caption, columns, rows })));
}

function outliers() {
  if (!data.outliers.length) return section("outliers", "Ranks that stand out", el("p", {}, data.standing_out));
  const columns = [{ head: "rank" }, { head: "job", class: "left" }, { head: "in", class: "left" }, { head: "per step" }, { head: "median" }, { head: "of a step" }, { head: "trace", class: "text" }];
  const rows = data.outliers.map((row) => [
    row.rank === null ? "" : `${row.rank}`,
    row.job,
    row.cause === "step" ? "length of a step" : [swatch(row.cause), row.cause],
    duration(row.per_step_ns),
    duration(row.median_ns),
    `${row.excess_share > 0 ? "+" : "−"}${percent(Math.abs(row.excess_share))}`,
    row.trace,
  ]);
  const caption = "Far off the median of the job's ranks: a modified z-score above 3.5, and more than 3 % of a step. Of fewer than four ranks none can be told.";
  return section("outliers", "Ranks that stand out", el("p", {}, data.standing_out), el("div", { class: "scroll tall" }, table({ caption, columns, rows })));
}

function bad() {
  if (!data.bad.length) return null;
  const columns = [{ head: "trace", class: "text" }, { head: "job", class: "left" }, { head: "what is wrong with it", class: "text" }];
  const rows = data.bad.map(({ trace, job: name, error }) => [trace, name, error]);
  return section("bad", `${count(data.bad_traces, "trace")} that cannot be read`, el("div", { class: "scroll tall" }, table({ columns, rows })));
}

document.getElementById("subject").textContent = `${data.name}: ${count(data.traces, "trace")} of ${count(data.jobs_in_all, "job")}`;
const [overDays, drawDays] = days();
const [ofJob, drawJob] = job();
replace(
  document.getElementById("page"),
  el("h1", {}, data.headline),
  el("p", {}, data.standing_out),
  meanBar(),
  el("div", { class: "two" }, ledger(), overDays),
  jobs(),
  ofJob,
  outliers(),
  bad(),
);
drawDays();
drawJob();
document.getElementById("made").textContent =
  `Made by gapfinder ${data.version}. On every GPU of every trace, compute and the lost time of all causes add up to the window, to the nanosecond.`;
