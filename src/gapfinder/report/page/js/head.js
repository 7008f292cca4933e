// The verdict, and the mean step as one bar.
import { data } from "./data.js";
import { el } from "./dom.js";
import { ledgerLines } from "./ledger.js";
import { piece } from "./pieces.js";
import { colourOf } from "./theme.js";
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

export function headline() {
  const { cause, headline: text } = data.diagnosis.verdict;
  const at = text.indexOf(cause);
  if (at < 0) return el("h1", {}, text);
  return el("h1", {}, text.slice(0, at), el("mark", { colour: colourOf(cause) }, cause), text.slice(at + cause.length));
}

export function meanBar() {
  return el("div", { class: "mean", "aria-hidden": "true" }, ledgerLines().map(({ cause, share, ns }) => piece(cause, share, duration(ns))));
}
