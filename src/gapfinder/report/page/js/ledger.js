// The ledger: where a step goes. It is the legend of every colour on the page, and choosing a cause filters all charts.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { onSelection, select, selection } from "./selection.js";
import { colourOf, swatch } from "./theme.js";
import { duration, percent } from "./units.js";

const { causes, devices, window: steps } = data.diagnosis;
const windowNs = devices.reduce((sum, device) => sum + device.window_ns, 0);
const inSteps = (steps.end_ns - steps.start_ns) / steps.step_ns;

// Compute and all causes, most first, as the mean of the GPUs: {cause, share, ns} for a step.
export function ledgerLines() {
  const compute = devices.reduce((sum, device) => sum + device.compute_ns, 0) / windowNs;
  const lost = causes.map(({ cause, share }) => ({ cause, share })).sort((one, other) => other.share - one.share);
  return [{ cause: "compute", share: compute }, ...lost].map((line) => ({ ...line, ns: line.share * steps.step_ns }));
}

export function ledger() {
  const many = devices.length > 1;
  const predicted = new Map(causes.map(({ cause, predicted_step_ns }) => [cause, predicted_step_ns]));
  const worth = new Set(causes.filter((cause) => cause.worth).map(({ cause }) => cause));
  const rows = ledgerLines().map(({ cause, share, ns }) => {
    const bar = el("i", { colour: colourOf(cause) });
    bar.style.width = `${100 * share}%`;
    const name =
      cause === "compute"
        ? [swatch(cause), "compute"]
        : el(
            "button",
            { class: "cause", type: "button", "aria-pressed": "false", onclick: () => select({ cause: selection.cause === cause ? null : cause }) },
            swatch(cause),
            cause,
          );
    const without = predicted.get(cause);
    const row = el(
      "tr",
      { class: worth.has(cause) && "worth", "data-cause": cause },
      el("th", { scope: "row" }, name),
      el("td", { "data-ns": ns }, duration(ns)),
      el("td", {}, percent(share)),
      many && devices.map((device) => el("td", {}, deviceTime(device, cause))),
      el("td", {}, without === null || without === undefined ? "" : duration(without)),
      !many && el("td", { class: "share", "aria-hidden": "true" }, bar),
    );
    return row;
  });
  const found = table({
    caption: many ? "Where a step goes, as the mean of the GPUs and on each. Choose a cause to see it alone." : "Where a step goes. Choose a cause to see it alone.",
    columns: [
      { head: "cause" },
      { head: "per step" },
      { head: "share" },
      ...(many ? devices.map((device) => ({ head: `GPU ${device.gpu}` })) : []),
      { head: "without it" },
      ...(many ? [] : [{ head: "", class: "share" }]),
    ],
    rows,
    foot: ["step", duration(steps.step_ns), percent(1), ...(many ? devices.map((device) => duration(device.window_ns / inSteps)) : []), "", ...(many ? [] : [""])],
  });
  const show = () => {
    for (const row of rows) {
      const chosen = row.dataset.cause === selection.cause;
      row.classList.toggle("chosen", chosen);
      row.classList.toggle("faded", selection.cause !== null && !chosen);
      row.querySelector("button")?.setAttribute("aria-pressed", chosen);
    }
  };
  onSelection(show);
  show();
  return el("div", { class: "scroll", id: "ledger" }, found);
}

function deviceTime(device, cause) {
  const ns = cause === "compute" ? device.compute_ns : device.causes.find((line) => line.cause === cause)?.lost_ns;
  return ns === undefined ? "" : duration(ns / inSteps);
}
