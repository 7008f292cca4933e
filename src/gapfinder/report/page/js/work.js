// What the GPU works on: phases and kernels; and what the trace cannot tell.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { facts, section } from "./section.js";
import { duration, times } from "./units.js";

const { phases, kernels, notes, window: steps } = data.diagnosis;
const inSteps = (steps.end_ns - steps.start_ns) / steps.step_ns;

export function work() {
  return el("div", { class: "two" }, phaseTable(), kernelTable());
}

function phaseTable() {
  if (!phases.length) return null;
  const rows = phases.map(({ name, ops, gpu_ns, lost_ns }) => [name, duration(gpu_ns / inSteps), duration(lost_ns / inSteps), times(ops / inSteps)]);
  return wide("phases", "Phases", [{ head: "NVTX range", class: "name" }, { head: "GPU work per step" }, { head: "lost per step" }, { head: "ops per step" }], rows);
}

function kernelTable() {
  const rows = kernels.map(({ name, count, gpu_ns, mean_ns }) => [el("span", { title: name }, name), duration(gpu_ns / inSteps), duration(mean_ns), times(count / inSteps)]);
  return wide("kernels", "Kernels", [{ head: "name", class: "name" }, { head: "per step" }, { head: "each" }, { head: "times per step" }], rows);
}

function wide(id, title, columns, rows) {
  return section(id, title, el("div", { class: "scroll" }, table({ className: "wide", columns, rows })));
}

export function cannotTell() {
  return facts("notes", "What this trace cannot tell", notes);
}
