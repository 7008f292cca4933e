// What the page is about, and the mean step as one bar.
import { data } from "./data.js";
import { el } from "./dom.js";
import { ledgerLines } from "./ledger.js";
import { piece } from "./pieces.js";
import { count, duration, moment } from "./units.js";

export function subject() {
  const { window, devices } = data.diagnosis;
  const names = [...new Set(devices.map((device) => device.name))].join(", ");
  const gpus = devices.length > 1 ? `${devices.length} x ${names}` : names;
  const whole = ["everything", "time range"].includes(window.source);
  const by = window.source === "nvtx" ? `NVTX "${window.step_name}"` : "the launch sequence";
  const leftOut = window.excluded_steps ? `, ${count(window.excluded_steps, "step")} before left out` : "";
  const what = whole
    ? `${window.source}, ${duration(window.end_ns - window.start_ns)}`
    : `${count(window.steps, "step")} of ${duration(window.step_ns)} by ${by}${leftOut}`;
  return `${data.trace}: ${gpus}, ${what}, from ${moment(window.start_ns)} to ${moment(window.end_ns)}`;
}

export function meanBar() {
  return el("div", { class: "mean", "aria-hidden": "true" }, ledgerLines().map(({ cause, share, ns }) => piece(cause, share, duration(ns))));
}
