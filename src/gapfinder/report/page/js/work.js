// What the GPU works on: phases and kernels; and what the trace cannot tell.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { duration, times } from "./units.js";

const { phases, kernels, notes, window: steps } = data.diagnosis;
const inSteps = (steps.end_ns - steps.start_ns) / steps.step_ns;

export function work() {
  return el("div", { class: "two" }, phaseTable(), kernelTable());
}

function phaseTable() {
  if (!phases.length) return null;
  const rows = phases.map(({ name, ops, gpu_ns, lost_ns }) => [name, duration(gpu_ns / inSteps), duration(lost_ns / inSteps), times(ops / inSteps)]);
  return section("phases", "Phases", [{ head: "NVTX range", class: "name" }, { head: "GPU work per step" }, { head: "lost per step" }, { head: "ops per step" }], rows);
}

function kernelTable() {
  const rows = kernels.map(({ name, count, gpu_ns, mean_ns }) => [el("span", { title: name }, name), duration(gpu_ns / inSteps), duration(mean_ns), times(count / inSteps)]);
  return section("kernels", "Kernels", [{ head: "name", class: "name" }, { head: "per step" }, { head: "each" }, { head: "times per step" }], rows);
}

function section(id, title, columns, rows) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), el("div", { class: "scroll" }, table({ className: "wide", columns, rows })));
}

export function cannotTell() {
  if (!notes.length) return null;
  return el("section", { id: "notes", "aria-labelledby": "notes-title" }, el("h2", { id: "notes-title" }, "What this trace cannot tell"), el("ul", { class: "facts" }, notes.map((note) => el("li", {}, note))));
}
