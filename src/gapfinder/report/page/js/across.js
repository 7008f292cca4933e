// What is said of the ranks of a job together: on the page of a job, and on that of a trace with several ranks.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { bars, piece } from "./pieces.js";
import { section } from "./section.js";
import { behind, stacked, timeAxis } from "./stacked.js";
import { colourOf, swatch } from "./theme.js";
import { duration, percent } from "./units.js";

const FEW = 16; // ranks whose bars have room for words

// What to change, how it would be then, and what tells.
export function change(title) {
  const { verdict, fix, prediction, evidence } = data.job;
  return el(
    "article",
    { id: "change", class: "worth" },
    el("h2", {}, title),
    fix && el("div", { class: "fix", colour: colourOf(verdict.cause) }, el("p", {}, fix)),
    verdict.cause === "gpu_bound" && el("p", {}, "Nothing that the ranks wait for is worth a change: make the GPUs' own work faster."),
    prediction && el("p", {}, prediction),
    evidence.length > 0 && el("h3", {}, "Evidence"),
    el("ul", { class: "facts" }, evidence.map((fact) => el("li", {}, withLine(fact)))),
  );
}

function withLine({ text, line }) {
  const at = line ? text.indexOf(line) : -1;
  return at < 0 ? text : [text.slice(0, at), el("span", { class: "line" }, line), text.slice(at + line.length)];
}

// The step of each rank, by cause.
export function ranks() {
  const { steps } = data.job;
  const causes = data.job.causes.map(({ cause }) => cause);
  const amounts = data.job.ranks.map(({ ns }) => Object.fromEntries(Object.entries(ns).map(([cause, all]) => [cause, all / steps])));
  const lengths = amounts.map((amount) => Object.values(amount).reduce((sum, ns) => sum + ns, 0));
  const names = data.job.ranks.map(({ rank }) => `rank ${rank}`);
  const longest = Math.max(...lengths);
  const asTable = () => ({
    columns: ["rank", "step", ...causes].map((head) => ({ head })),
    rows: data.job.ranks.map(({ name }, at) => [name, duration(lengths[at]), ...causes.map((cause) => (amounts[at][cause] ? duration(amounts[at][cause]) : ""))]),
  });
  const pieces = (at) => causes.filter((cause) => amounts[at][cause]).map((cause) => piece(cause, amounts[at][cause] / lengths[at], duration(amounts[at][cause])));
  const few = names.length <= FEW;
  const box = few
    ? bars(names.map((name, at) => ({ name, length: lengths[at] / longest, pieces: pieces(at) })))
    : el("div", { class: "chart ranks", role: "img", "aria-label": "How the step of each rank is spent; the table below has the same" });
  const found = section("ranks", "The step of each rank", box, behind("The ranks as a table", asTable));
  const shape = { names, amounts, causes, written: duration, axisOf: timeAxis(longest) };
  return [found, () => few || stacked(box, () => shape)];
}

// How fast data moved, beside what, and how well the ranks' clocks fit.
export function collectives() {
  const { collectives: rows, streams, alignment, offsets_ns: offsets, ranks: of } = data.job;
  const columns = [{ head: "kind" }, ...["size", "times", "data moves", "bus", "of the best"].map((head) => ({ head }))];
  const clocks = () => ({
    columns: [{ head: "rank" }, { head: "added to its times" }],
    rows: of.map(({ name }, at) => [name, duration(offsets[at])]),
  });
  return section(
    "collectives",
    "Collectives",
    el("div", { class: "scroll" }, table({ columns, rows })),
    el("p", { class: "after" }, streams),
    el("p", {}, alignment),
    offsets.some((ns) => ns !== 0) && behind("The clocks as a table", clocks),
  );
}

// Compute and all causes, as the mean of the ranks: it is the legend of every colour on the page.
export function ledger() {
  const { causes, step_ns: step } = data.job;
  const rows = causes.map(({ cause, share, worth, by_design: designed, predicted_step_ns: without }) => {
    const bar = el("i", { colour: colourOf(cause) });
    bar.style.width = `${100 * share}%`;
    return el(
      "tr",
      { class: worth && "worth" },
      el("th", { scope: "row" }, swatch(cause), cause),
      el("td", {}, duration(share * step)),
      el("td", {}, percent(share)),
      el("td", {}, designed ? "by design" : typeof without === "number" ? duration(without) : ""),
      el("td", { class: "share", "aria-hidden": "true" }, bar),
    );
  });
  const columns = [{ head: "cause" }, { head: "per step" }, { head: "share" }, { head: "without it" }, { head: "", class: "share" }];
  const caption = "Where a step goes, as the mean of the ranks";
  return el("div", { class: "scroll", id: "ledger" }, table({ caption, columns, rows, foot: ["step", duration(step), percent(1), "", ""] }));
}

export function meanBar() {
  const { causes, step_ns: step } = data.job;
  return el("div", { class: "mean", "aria-hidden": "true" }, causes.map(({ cause, share }) => piece(cause, share, duration(share * step))));
}
