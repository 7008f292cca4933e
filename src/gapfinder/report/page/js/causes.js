// What to change: the selected cause, else that of the verdict, with its fix and its evidence.
import { advice } from "./advice.js";
import { data } from "./data.js";
import { el, shareBar, table } from "./dom.js";
import { aUnit, each, unit } from "./means.js";
import { placeAt } from "./places.js";
import { onSelection, selection } from "./selection.js";
import { swatch } from "./theme.js";
import { duration, percent } from "./units.js";
import { explained } from "./words.js";

const { diagnosis } = data;
const { step_ns: stepNs } = diagnosis.window;

export function causes() {
  const articles = diagnosis.causes.map((cause) => [cause.cause, article(cause)]);
  const verdict = diagnosis.verdict.cause === "gpu_bound" ? null : diagnosis.verdict.cause;
  const bound = verdict === null ? gpuBound() : null;
  const show = () => {
    const shown = selection.cause ?? verdict;
    for (const [name, element] of articles) element.hidden = name !== shown;
    if (bound) bound.hidden = selection.cause !== null;
  };
  onSelection(show);
  show();
  return el(
    "div",
    { id: "causes", "aria-live": "polite" },
    bound,
    articles.map(([, element]) => element),
  );
}

function article({ cause, share, is_finding: isFinding, meaning, fix, evidence }) {
  return el(
    "article",
    { class: isFinding && "finding", "data-cause": cause },
    el("h2", {}, swatch(cause), cause),
    el("p", {}, explained(`${each(duration(share * stepNs))}, ${percent(share)}: ${meaning}.`)),
    advice(cause, { fix, prediction: data.predictions[cause], evidence }, factText),
  );
}

// A fact with its source line set off, or as a link to its place on the timeline.
function factText({ text, source_line: line, start_ns: startNs, end_ns: endNs, gpu }) {
  if (line) {
    const at = text.indexOf(line); // of several ranks, the text begins with the rank
    const button = el("button", { type: "button", class: "line", onclick: () => find(line) }, line);
    return [text.slice(0, at), button, text.slice(at + line.length)];
  }
  if (startNs === undefined) return explained(text);
  const place = placeAt(startNs, gpu);
  return el("a", { href: place ? `#step=${place.step}&gap=${place.number}` : `#at=${startNs}-${endNs ?? startNs}` }, text);
}

// Searches the timeline for a line of code.
function find(line) {
  const input = document.getElementById("search");
  input.value = line;
  input.dispatchEvent(new Event("input"));
  input.scrollIntoView({ block: "center" });
  input.focus();
}

function gpuBound() {
  const command = diagnosis.next_command;
  return el(
    "article",
    { class: "finding" },
    el("h2", {}, "What to change"),
    el("p", {}, "Nothing that the GPU waits for is worth a change: make its own work faster."),
    command && [
      el("p", {}, "Look inside the kernel that takes the most time, with Nsight Compute:"),
      el("pre", {}, el("code", {}, command)),
    ],
  );
}

// How long a step, the window, or the work on a request takes after each fix, in the order in which to make them.
export function orderOfFixes() {
  if (!data.order_of_fixes) return null;
  const { measured_ns: measured, fixes, floor_ns: floor } = data.order_of_fixes;
  const steps = [
    ["measured", measured],
    ...fixes.map(([cause, ns], index) => [`${index ? "then " : ""}without ${cause}`, ns]),
    ["GPU work alone", floor],
  ];
  const what = diagnosis.requests ? "the work on a request" : aUnit;
  return table({
    className: "order",
    caption: `How long ${what} takes, fix by fix`,
    columns: [{ head: "fix" }, { head: diagnosis.requests ? "request" : unit }, { head: "", class: "share" }],
    rows: steps.map(([name, ns]) =>
      el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, duration(ns)), shareBar(ns / measured)),
    ),
  });
}
