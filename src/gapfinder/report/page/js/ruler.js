// The times above the tracks, the numbers of the steps, and the lines that both draw through the tracks.
import { data } from "./data.js";
import { cssVariable } from "./theme.js";
import { timeline } from "./timeline_data.js";
import { duration } from "./units.js";

export const RULER = 36; // pixels
const ROOM = 110; // pixels for a time
const ROOM_FOR_STEP = 52;
const LEAST = 4; // pixels between lines

// The times to label: round ones, on the clock of the first trace; where traces are compared, from the start of a typical step.
function ticks(view, width) {
  const zero = -timeline.startNs;
  const shown = view.to - view.from;
  const rough = (shown / width) * ROOM;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = [1, 2, 5, 10].map((factor) => factor * power).find((ns) => ns >= rough);
  const first = Math.ceil((view.from - zero) / distance);
  const found = [];
  for (let index = first; index * distance + zero <= view.to; index++) {
    found.push([index * distance + zero, timeLabel(index * distance, distance)]);
  }
  return found;
}

// A time with as many digits as its distance to the next one needs.
function timeLabel(ns, distance) {
  const [unit, size] =
    Math.abs(ns) >= 1e9 || distance >= 1e8 ? ["s", 1e9] : Math.abs(ns) >= 1e6 || distance >= 1e5 ? ["ms", 1e6] : ["us", 1e3];
  const digits = Math.max(0, Math.ceil(-Math.log10(distance / size) - 1e-9));
  return `${(ns / size).toFixed(digits)}\u00a0${unit}`;
}

export function drawRuler(context, view, width) {
  const scale = width / (view.to - view.from);
  context.textBaseline = "middle";
  context.fillStyle = cssVariable("--quiet");
  for (const [time, label] of ticks(view, width)) {
    const x = (time - view.from) * scale;
    context.fillRect(x, RULER - 5, 1, 5);
    if (x + 40 < width) context.fillText(label, x + 3, RULER - 9);
  }
  const { steps, label } = timeline.parts[0];
  if (label !== null) return; // of two traces, each has its own steps
  if (steps.length < 2) return;
  for (const [number, start, end] of steps) {
    const x = (Math.max(start, view.from) - view.from) * scale;
    const right = (end - view.from) * scale;
    if (right < 0 || x > width || (end - start) * scale < ROOM_FOR_STEP || right - x < ROOM_FOR_STEP) continue;
    context.fillStyle = cssVariable("--ink");
    context.fillText(`${data.unit ?? "step"} ${number}`, x + 3, 9);
  }
}

// Lines where steps and regimes begin.
export function drawLines(context, view, width, height) {
  const scale = width / (view.to - view.from);
  for (const { steps, regimes } of timeline.parts.slice(0, 1).filter(({ label }) => label === null)) {
    const isDense = steps.length > 0 && (steps[0][2] - steps[0][1]) * scale < LEAST;
    context.fillStyle = cssVariable("--rule");
    for (const [, start] of isDense || steps.length < 2 ? [] : steps) context.fillRect((start - view.from) * scale, 0, 1, height);
    context.fillStyle = cssVariable("--quiet");
    for (const [, start] of regimes.slice(1)) context.fillRect((start - view.from) * scale, 0, 1, height);
  }
}

// What is seen, in words.
export function rangeText(view) {
  const whole = view.isWhole() ? "All of it: " : "";
  return `${whole}${duration(view.to - view.from)} shown`;
}
