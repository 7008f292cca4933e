// What is told of a job, on its own page and on the page of a trace that holds several ranks.
import { addressOf } from "./address.js";
import { advice } from "./advice.js";
import { bar, barPart, bars } from "./bars.js";
import { data } from "./data.js";
import { el, foldedTable, shareBar, table } from "./dom.js";
import { section } from "./parts.js";
import { stacked, timeAxis } from "./stacked.js";
import { causeColor, swatch } from "./theme.js";
import { gpuOf, timeline } from "./timeline_data.js";
import { duration, percent } from "./units.js";
import { explained } from "./words.js";

const { job } = data;
const FEW = 16; // ranks whose bars have room for words

// What to change, what it would win, and the evidence.
export function whatToChange() {
  const { verdict } = job;
  return el(
    "article",
    { id: "change", class: "finding" },
    el("h2", {}, "What to change"),
    verdict.cause === "gpu_bound" &&
      el("p", {}, "Nothing that the ranks wait for is worth a change: make the GPUs' own work faster."),
    advice(verdict.cause, job, factText),
  );
}

// A fact with its source line set off, or as a link to its place on the timeline.
function factText({ text, line, start_ns: startNs, end_ns: endNs, rank }) {
  const { part } = gpuOf(rank);
  if (startNs !== null && part !== undefined) {
    const { shift_ns: shift } = timeline.parts[part];
    return el("a", { href: addressOf(startNs + shift, (endNs ?? startNs) + shift) }, text);
  }
  const start = line ? text.indexOf(line) : -1;
  return start < 0 ? text : [text.slice(0, start), el("span", { class: "line" }, line), text.slice(start + line.length)];
}

// The ledger of each rank: the section, and a function that draws the chart in it.
export function ranksSection() {
  const causes = job.causes.map(({ cause }) => cause);
  const amounts = job.ranks.map(({ ns }) => perStep(ns));
  const lengths = amounts.map((amount) => Object.values(amount).reduce((sum, ns) => sum + ns, 0));
  const names = job.ranks.map(({ rank }) => `rank ${rank}`);
  const longest = Math.max(...lengths);
  const makeTable = () =>
    table({
      columns: ["rank", "step", ...causes].map((head) => ({ head })),
      rows: job.ranks.map(({ name }, index) => {
        const amount = amounts[index];
        return [name, duration(lengths[index]), ...causes.map((cause) => (amount[cause] ? duration(amount[cause]) : ""))];
      }),
    });
  const parts = (index) => {
    const amount = amounts[index];
    const present = causes.filter((cause) => amount[cause]);
    return present.map((cause) => barPart(cause, amount[cause] / lengths[index], duration(amount[cause])));
  };
  const few = names.length <= FEW;
  const box = few
    ? bars(names.map((name, index) => ({ name, length: lengths[index] / longest, parts: parts(index) })))
    : el("div", {
        class: "chart ranks",
        role: "img",
        "aria-label": "How the step of each rank is spent; the table below says the same",
      });
  const found = section("ranks", "The step of each rank", box, foldedTable("The ranks as a table", makeTable));
  const shape = { names, amounts, causes, write: duration, axisOf: timeAxis(longest) };
  return [found, () => few || stacked(box, () => shape)];
}

function perStep(amounts) {
  return Object.fromEntries(Object.entries(amounts).map(([cause, ns]) => [cause, ns / job.steps]));
}

// How fast collectives moved data, beside what, and how well the clocks of the ranks agree.
export function collectives() {
  const { collectives: rows, streams, alignment, offsets_ns: offsets } = job;
  const columns = ["kind", "size", "times", "data moves", "bus", "of the best"].map((head) => ({ head }));
  const clocks = () =>
    table({
      columns: [{ head: "rank" }, { head: "added to its times" }],
      rows: job.ranks.map(({ name }, index) => [name, duration(offsets[index])]),
    });
  return section(
    "collectives",
    "Collectives",
    el("div", { class: "scroll" }, table({ columns, rows })),
    el("p", { class: "after" }, explained(streams)),
    el("p", {}, explained(alignment)),
    offsets.some((ns) => ns !== 0) && foldedTable("The clocks as a table", clocks),
  );
}

// The ledger, as the mean of the ranks: the legend of all colors of the page.
export function jobLedger() {
  const rows = job.causes.map(({ cause, share, is_finding: isFinding, by_design: byDesign, predicted_step_ns: ns }) => {
    const without = typeof ns === "number" ? duration(ns) : "";
    return el(
      "tr",
      { class: isFinding && "finding" },
      el("th", { scope: "row" }, swatch(cause), cause),
      el("td", {}, duration(share * job.step_ns)),
      el("td", {}, percent(share)),
      el("td", {}, byDesign ? "by design" : without),
      shareBar(share, causeColor(cause)),
    );
  });
  const columns = [
    { head: "cause" },
    { head: job.per_unit },
    { head: "share" },
    { head: "without it" },
    { head: "", class: "share" },
  ];
  const caption = `How ${job.unit === "step" ? "a step" : "the window"} is spent, as the mean of the ranks`;
  const foot = [job.unit, duration(job.step_ns), percent(1), "", ""];
  return el("div", { class: "scroll", id: "ledger" }, table({ caption, columns, rows, foot }));
}

// The mean step as one bar.
export function meanStep() {
  return bar(job.causes.map(({ cause, share }) => barPart(cause, share, duration(share * job.step_ns))));
}
