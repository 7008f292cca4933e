// What to change: the cause that is chosen, else the verdict, with its fix and its evidence.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { onSelection, selection } from "./selection.js";
import { placeOf } from "./timelines.js";
import { colourOf, swatch } from "./theme.js";
import { duration, percent } from "./units.js";

const { diagnosis } = data;
const { step_ns: stepNs } = diagnosis.window;

export function causes() {
  const articles = diagnosis.causes.map((cause) => [cause.cause, article(cause)]);
  const usual = diagnosis.verdict.cause === "gpu_bound" ? null : diagnosis.verdict.cause;
  const bound = usual === null ? gpuBound() : null;
  const show = () => {
    const shown = selection.cause ?? usual;
    for (const [name, element] of articles) element.hidden = name !== shown;
    if (bound) bound.hidden = selection.cause !== null;
  };
  onSelection(show);
  show();
  return el("div", { id: "causes", "aria-live": "polite" }, bound, articles.map(([, element]) => element));
}

function article(cause) {
  const without = cause.predicted_step_ns;
  const off = diagnosis.replay_error === null ? "" : ` (unchanged it is ${percent(Math.abs(diagnosis.replay_error))} off)`;
  return el(
    "article",
    { class: cause.worth && "worth", "data-cause": cause.cause },
    el("h2", {}, swatch(cause.cause), cause.cause),
    el("p", {}, `${duration(cause.share * stepNs)} a step, ${percent(cause.share)}: ${cause.meaning}.`),
    cause.fix && el("div", { class: "fix", colour: colourOf(cause.cause) }, el("p", {}, cause.fix)),
    without !== null && el("p", {}, `Without it the step takes about ${duration(without)}, by a replay of the trace${off}.`),
    cause.evidence.length > 0 && el("h3", {}, "Evidence"),
    el("ul", { class: "facts" }, cause.evidence.map((fact) => el("li", {}, evidence(fact)))),
  );
}

function evidence(fact) {
  if (fact.source_line) return [el("span", { class: "line" }, fact.source_line), fact.text.slice(fact.source_line.length)];
  const place = fact.start_ns === undefined ? null : placeOf(fact.start_ns);
  return place ? el("a", { href: `#step=${place.step}&gap=${place.gap}` }, fact.text) : fact.text;
}

function gpuBound() {
  const command = diagnosis.next_command;
  return el(
    "article",
    { class: "worth" },
    el("h2", {}, "What to change"),
    el("p", {}, "Nothing that the GPU waits for is worth a change: make its own work faster."),
    command && [el("p", {}, "Look inside the kernel that takes the most time, with Nsight Compute:"), el("pre", {}, el("code", {}, command))],
  );
}

// What the step takes after each fix, in the order in which to make them.
export function orderOfFixes() {
  if (!data.order_of_fixes) return null;
  const steps = [
    ["measured", stepNs],
    ...diagnosis.fixes.map(({ cause, predicted_step_ns }, at) => [`${at ? "then " : ""}without ${cause}`, predicted_step_ns]),
    ["GPU work alone", diagnosis.floor_step_ns],
  ];
  const rows = steps.map(([name, ns]) => {
    const bar = el("i");
    bar.style.width = `${(100 * ns) / stepNs}%`;
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, duration(ns)), el("td", { class: "share", "aria-hidden": "true" }, bar));
  });
  return table({
    className: "order",
    caption: "What a step would take, fix by fix",
    columns: [{ head: "fix" }, { head: "step" }, { head: "", class: "share" }],
    rows,
  });
}
