// What the GPU works on: phases and kernels.
import { data } from "./data.js";
import { el, table } from "./dom.js";
import { meanOf, perUnit, unitsInWindow } from "./means.js";
import { section } from "./parts.js";
import { amount, duration } from "./units.js";

const { phases, kernels, devices } = data.diagnosis;
const together = devices.length > 1 ? ` (${devices.length} GPUs together)` : ""; // the ledger has means

export function gpuWork() {
  return el("div", { class: "two" }, phases.length > 0 && phaseTable(), kernels.length > 0 && kernelTable());
}

function phaseTable() {
  const columns = [
    { head: "NVTX range", class: "name" },
    { head: meanOf("GPU work") },
    { head: meanOf("lost") },
    { head: meanOf("activities") },
  ];
  const rows = phases.map(({ name, activities, gpu_ns: gpu, lost_ns: lost }) => [
    el("span", { title: name }, name),
    duration(gpu / unitsInWindow),
    duration(lost / unitsInWindow),
    amount(activities / unitsInWindow),
  ]);
  return wideTable("phases", `Phases${together}`, columns, rows);
}

function kernelTable() {
  const columns = [{ head: "name", class: "name" }, { head: perUnit }, { head: "each" }, { head: meanOf("times") }];
  const rows = kernels.map(({ name, times, gpu_ns: gpu, mean_ns: mean }) => [
    el("span", { title: name }, name),
    duration(gpu / unitsInWindow),
    duration(mean),
    amount(times / unitsInWindow),
  ]);
  const metrics = data.metrics.map((sentence) => el("p", {}, sentence));
  return wideTable("kernels", `Kernels${together}`, columns, rows, ...metrics);
}

function wideTable(id, title, columns, rows, ...below) {
  return section(id, title, el("div", { class: "scroll" }, table({ className: "wide", columns, rows })), ...below);
}
