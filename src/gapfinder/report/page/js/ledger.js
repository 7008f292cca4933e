// The ledger: how a step is spent, or the window where there are none. It is the legend of all colors of the page; selecting a cause in it filters all charts.
import { bar, barPart } from "./bars.js";
import { data } from "./data.js";
import { el, shareBar, table } from "./dom.js";
import { aUnit, isShortened, perUnit, unit, unitsInWindow } from "./means.js";
import { onSelection, select, selection } from "./selection.js";
import { causeColor, swatch } from "./theme.js";
import { duration, percent } from "./units.js";

const { causes, devices } = data.diagnosis;
const { step_ns: stepNs } = data.diagnosis.window;
const manyGpus = devices.length > 1;

// Compute and all causes, most first, as the mean of the GPUs: {cause, share, ns}, of a step.
function ledgerLines() {
  const sum = (key) => devices.reduce((total, device) => total + device[key], 0);
  const compute = { cause: "compute", share: sum("compute_ns") / sum("window_ns") };
  const lost = [...causes].sort((one, other) => other.share - one.share);
  return [compute, ...lost].map(({ cause, share }) => ({ cause, share, ns: share * stepNs }));
}

// Selects a cause, or lets go of it: a click in the bar does what a click in the table does.
function toggle(cause) {
  select({ cause: selection.cause === cause ? null : cause });
}

// The mean as one bar.
export function meanStep() {
  const parts = ledgerLines().map(({ cause, share, ns }) => {
    const part = barPart(cause, share, duration(ns), cause === "compute" ? null : () => toggle(cause));
    const show = () => part.classList.toggle("faded", selection.cause !== null && selection.cause !== cause);
    onSelection(show);
    show();
    return part;
  });
  return bar(parts);
}

export function ledger() {
  const rows = ledgerLines().map(row);
  const caption = `How ${aUnit} is spent${manyGpus ? ", as the mean of the GPUs and on each" : ""}.`;
  const perGpu = (cell) => (manyGpus ? devices.map(cell) : []);
  const withoutIt = (cell) => (isShortened ? [cell] : []);
  const lastColumn = (cell) => (manyGpus ? [] : [cell]);
  const found = table({
    caption: `${caption} Select a cause to see it alone.`,
    columns: [
      { head: "cause" },
      { head: perUnit },
      { head: "share" },
      ...perGpu((device) => ({ head: `GPU ${device.gpu}` })),
      ...withoutIt({ head: "without it" }),
      ...lastColumn({ head: "", class: "share" }),
    ],
    rows,
    foot: [
      unit,
      duration(stepNs),
      percent(1),
      ...perGpu((device) => duration(device.window_ns / unitsInWindow)),
      ...withoutIt(""),
      ...lastColumn(""),
    ],
  });
  const show = () => {
    for (const line of rows) {
      const selected = line.dataset.cause === selection.cause;
      line.classList.toggle("chosen", selected);
      line.classList.toggle("faded", selection.cause !== null && !selected);
      line.querySelector("button")?.setAttribute("aria-pressed", selected);
    }
  };
  onSelection(show);
  show();
  return el("div", { class: "scroll", id: "ledger" }, found);
}

function row({ cause, share, ns }) {
  const { is_finding: isFinding, predicted_step_ns: without } = causes.find((one) => one.cause === cause) ?? {};
  return el(
    "tr",
    { class: isFinding && "finding", "data-cause": cause },
    el("th", { scope: "row" }, cause === "compute" ? [swatch(cause), cause] : causeButton(cause)),
    el("td", {}, duration(ns)),
    el("td", {}, percent(share)),
    manyGpus && devices.map((device) => el("td", {}, timeOnGpu(device, cause))),
    isShortened && el("td", {}, typeof without === "number" ? duration(without) : ""),
    !manyGpus && shareBar(share, causeColor(cause)),
  );
}

function causeButton(cause) {
  return el(
    "button",
    { class: "cause", type: "button", "aria-pressed": "false", onclick: () => toggle(cause) },
    swatch(cause),
    cause,
  );
}

function timeOnGpu(device, cause) {
  const ns = cause === "compute" ? device.compute_ns : device.causes.find((line) => line.cause === cause)?.lost_ns;
  return ns === undefined ? "" : duration(ns / unitsInWindow);
}
