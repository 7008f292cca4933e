// The page of a comparison.
import { data } from "./data.js";
import { el, replace, table } from "./dom.js";
import { knowCauses, swatch } from "./theme.js";
import { ledgerBars } from "./pair.js";
import { facts, section } from "./section.js";
import { trend } from "./trend.js";
import { duration, percent } from "./units.js";

const [before, after] = data.compared;
const first = data.traces[0];
const last = data.traces.at(-1);

knowCauses(data.ledger.map(({ cause }) => cause).filter((cause) => cause !== "compute"));

function ledger() {
  const rows = data.ledger.map(({ cause, cells }) => [[swatch(cause), cause], ...cells]);
  const columns = [{ head: "cause" }, { head: before }, { head: after }, { head: "difference" }, { head: "", class: "left" }];
  const known = first.step_ns !== null && last.step_ns !== null;
  const difference = last.step_ns - first.step_ns;
  const foot = ["step", first.step, last.step, `${difference > 0 ? "+" : ""}${duration(difference)}`, ""];
  const caption = `${known ? "Per step" : "Shares of the window"}${data.many ? ", as the mean of the GPUs" : ""}`;
  return section("ledger", "Both ledgers", el("div", { class: "scroll" }, table({ caption, columns, rows, foot: known && foot })));
}

function prediction() {
  if (!data.prediction) return null;
  const { text, causes, predicted_step_ns: predicted } = data.prediction;
  const steps = [[before, first.step_ns], [`predicted without ${causes.join(" and ")}`, predicted], [after, last.step_ns]];
  const longest = Math.max(...steps.map(([, ns]) => ns));
  const rows = steps.map(([name, ns]) => {
    const bar = el("i");
    bar.style.width = `${(100 * ns) / longest}%`;
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, duration(ns)), el("td", { class: "share", "aria-hidden": "true" }, bar));
  });
  const columns = [{ head: "fix" }, { head: "step" }, { head: "", class: "share" }];
  return section("prediction", "Prediction and outcome", el("p", {}, text), table({ className: "order", columns, rows }));
}

function traces() {
  const columns = [{ head: "trace" }, { head: "step" }, { head: "95 %" }, { head: "speedup" }, { head: "lost" }, { head: "of", class: "text" }];
  const rows = data.traces.map((trace) => [trace.label, trace.step, trace.interval, trace.speedup, percent(trace.lost_share), `${trace.name}: ${trace.subject}`]);
  return el("div", { class: "scroll traces" }, table({ columns, rows }));
}

function kernels() {
  if (!data.kernels.length) return section("kernels", "Kernels", el("p", {}, "The same kernels run, as often and about as long."));
  const columns = [{ head: "name", class: "name" }, { head: "times per step" }, { head: "each" }];
  return section("kernels", "Kernels that changed", el("div", { class: "scroll" }, table({ className: "wide", columns, rows: data.kernels })));
}

const [steps, drawSteps] = trend();
document.getElementById("subject").textContent = `${first.name} and ${data.traces.length > 2 ? "those after it" : last.name}`;
replace(
  document.getElementById("page"),
  el("h1", {}, data.headline),
  el("p", {}, data.bottleneck),
  ledgerBars(),
  traces(),
  steps,
  el("div", { class: "two" }, ledger(), el("div", {}, prediction(), kernels())),
  facts("remarks", "Keep in mind", data.remarks),
  facts("gates", "Gates", data.gates.map(({ line }) => line)),
);
drawSteps();
document.getElementById("made").textContent = `Made by gapfinder ${data.version}. In each trace compute and the lost time of all causes add up to the window, to the nanosecond.`;
