// What the GPU works on: phases and kernels.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { section } from "./parts.js";
import { duration, timesPerStep } from "./units.js";

const { phases, kernels, window: traceWindow } = data.diagnosis;
const stepsInWindow = (traceWindow.end_ns - traceWindow.start_ns) / traceWindow.step_ns;

export function gpuWork() {
  return el("div", { class: "two" }, phases.length > 0 && phaseTable(), kernelTable());
}

function phaseTable() {
  const columns = [
    { head: "NVTX range", class: "name" },
    { head: "GPU work per step" },
    { head: "lost per step" },
    { head: "activities per step" },
  ];
  const rows = phases.map(({ name, activities, gpu_ns: gpu, lost_ns: lost }) => [
    el("span", { title: name }, name),
    duration(gpu / stepsInWindow),
    duration(lost / stepsInWindow),
    timesPerStep(activities / stepsInWindow),
  ]);
  return wideTable("phases", "Phases", columns, rows);
}

function kernelTable() {
  const columns = [{ head: "name", class: "name" }, { head: "per step" }, { head: "each" }, { head: "times per step" }];
  const rows = kernels.map(({ name, count, gpu_ns: gpu, mean_ns: mean }) => [
    el("span", { title: name }, name),
    duration(gpu / stepsInWindow),
    duration(mean),
    timesPerStep(count / stepsInWindow),
  ]);
  return wideTable("kernels", "Kernels", columns, rows);
}

function wideTable(id, title, columns, rows) {
  return section(id, title, el("div", { class: "scroll" }, table({ className: "wide", columns, rows })));
}
