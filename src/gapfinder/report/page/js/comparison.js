// The page of a comparison.
import { barPart, bars } from "./bars.js";
import { data } from "./data.js";
import { el, shareBar, table } from "./dom.js";
import { listSection, section, showPage, withCauses } from "./parts.js";
import { swatch } from "./theme.js";
import { loadTimeline } from "./timeline_data.js";
import { tracesTimeline } from "./traces_timeline.js";
import { trendSection } from "./trend.js";
import { duration, percent } from "./units.js";
import { explained } from "./words.js";

const [before, after] = data.compared;
const first = data.traces[0];
const last = data.traces.at(-1);
const haveSteps = first.step_ns !== null && last.step_ns !== null;

// Both ledgers as bars below each other, as long as their steps.
function ledgerBars() {
  const longest = Math.max(first.step_ns ?? 0, last.step_ns ?? 0);
  const rows = [first, last].map((trace, index) => ({
    name: `${trace.label} ${trace.step_ns === null ? "" : trace.step}`,
    length: haveSteps ? trace.step_ns / longest : 1,
    parts: data.ledger
      .map(({ cause, shares }) => [cause, shares[index]])
      .filter(([, share]) => share > 0)
      .map(([cause, share]) => barPart(cause, share, haveSteps ? duration(share * trace.step_ns) : percent(share))),
  }));
  return bars(rows);
}

function traces() {
  const columns = [
    { head: "trace" },
    { head: "step" },
    { head: "95 %" },
    { head: "speedup" },
    { head: "lost" },
    { head: "of", class: "text" },
  ];
  const rows = data.traces.map(({ label, step, interval, speedup, lost_share: lost, name, subject }) => [
    label,
    step,
    interval,
    speedup,
    percent(lost),
    `${name}: ${subject}`,
  ]);
  return el("div", { class: "scroll traces" }, table({ columns, rows }));
}

function ledger() {
  const columns = [
    { head: "cause" },
    { head: before },
    { head: after },
    { head: "difference" },
    { head: "change", class: "left" },
  ];
  const rows = data.ledger.map(({ cause, cells }) => [[swatch(cause), cause], ...cells]);
  const difference = last.step_ns - first.step_ns;
  const foot = ["step", first.step, last.step, `${difference > 0 ? "+" : ""}${duration(difference)}`, ""];
  const caption = `${haveSteps ? "Per step" : "Shares of the window"}${data.many ? ", as the mean of the GPUs" : ""}`;
  const found = table({ caption, columns, rows, foot: haveSteps && foot });
  return section("ledger", "Both ledgers", el("div", { class: "scroll" }, found));
}

function prediction() {
  if (!data.prediction) return null;
  const { text, causes, predicted_step_ns: predicted } = data.prediction;
  const steps = [
    [before, first.step_ns],
    [`predicted without ${causes.join(" and ")}`, predicted],
    [after, last.step_ns],
  ];
  const longest = Math.max(...steps.map(([, ns]) => ns));
  const columns = [{ head: "fix" }, { head: "step" }, { head: "", class: "share" }];
  const rows = steps.map(([name, ns]) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, duration(ns)), shareBar(ns / longest)),
  );
  return section(
    "prediction",
    "Prediction and outcome",
    el("p", {}, explained(text)),
    table({ className: "order", columns, rows }),
  );
}

function kernels() {
  if (!data.kernels.length) {
    return section("kernels", "Kernels", el("p", {}, "The same kernels run, as often and about as long."));
  }
  const columns = [{ head: "name", class: "name" }, { head: "times per step" }, { head: "each" }];
  const found = table({ className: "wide", columns, rows: data.kernels });
  return section("kernels", "Kernels that changed", el("div", { class: "scroll" }, found));
}

loadTimeline().then(show);

function show() {
  const [timeline, drawTimeline] = tracesTimeline("Both timelines", "At one scale; a typical step of each starts at 0.");
  const [steps, drawSteps] = trendSection();
  showPage({
    subject: `${first.name} and ${data.traces.length > 2 ? "those after it" : last.name}`,
    parts: [
      el("h1", {}, withCauses(data.headline)),
      el("p", { id: "bottleneck" }, withCauses(data.bottleneck)),
      ledgerBars(),
      traces(),
      timeline,
      steps,
      el("div", { class: "two" }, ledger(), el("div", {}, prediction(), kernels())),
      listSection("remarks", "Keep in mind", data.remarks),
      listSection(
        "gates",
        "Gates",
        data.gates.map(({ line }) => line),
      ),
    ],
    draw: [drawTimeline, drawSteps],
    footer: `Made by gapfinder ${data.version}. In each trace, compute and the lost time of all causes add up to the window, to the nanosecond.`,
  });
}
