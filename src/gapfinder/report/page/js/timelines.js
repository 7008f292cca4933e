// The timelines that the page holds, decoded when they are looked at.
import { data } from "./data.js";

const decoded = new Map();

// Steps that have a timeline, by number.
export const shown = Object.keys(data.timelines).map(Number).sort((one, other) => one - other);

// {start_ns, length_ns, resolution_ns, lanes, places} of a step; null where the page has none. Boxes of a lane are
// {start, end, told, extra, times, busy}, in order of their start.
export function timeline(step) {
  if (!(step in data.timelines)) return null;
  if (!decoded.has(step)) {
    const raw = data.timelines[step];
    const length = data.steps.length_ns[data.steps.number.indexOf(step)];
    decoded.set(step, { ...raw, length_ns: length, lanes: raw.lanes.map((lane) => ({ ...lane, boxes: boxes(lane) })) });
  }
  return decoded.get(step);
}

function boxes(lane) {
  const found = [];
  let start = 0;
  for (let at = 0; at < lane.boxes.length; at += 4) {
    start += lane.boxes[at];
    const length = lane.boxes[at + 1];
    found.push({ start, end: start + length, told: data.told[lane.boxes[at + 2]], extra: lane.boxes[at + 3], times: 1, busy: length });
  }
  start = 0;
  for (let at = 0; at < lane.merged.length; at += 5) {
    start += lane.merged[at];
    const [length, told, times, busy] = lane.merged.slice(at + 1, at + 5);
    found.push({ start, end: start + length, told: data.told[told], extra: 0, times, busy });
  }
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

// Where a stretch of lost time is: {step, gap}; null where the page does not hold it.
export function placeOf(startNs) {
  for (const step of shown) {
    const { start_ns: from, length_ns: length, lanes } = timeline(step);
    if (startNs < from || startNs >= from + length) continue;
    const boxes = lanes.filter(({ track }) => track === "lost").flatMap((lane) => lane.boxes);
    const box = boxes.find(({ start, extra }) => extra && from + start === startNs);
    if (box) return { step, gap: box.extra };
  }
  return null;
}

// A stretch of lost time of a step by its number, with its slices; null where there is none.
export function place(step, number) {
  const found = timeline(step);
  if (!found) return null;
  const known = found.places.find((one) => one.number === number);
  for (const lane of found.lanes.filter(({ track }) => track === "lost")) {
    const slices = lane.boxes.filter((box) => box.times === 1 && box.extra === number);
    if (!slices.length) continue;
    const last = slices.at(-1);
    const longest = slices.reduce((one, other) => (other.busy > one.busy ? other : one));
    const seen = { number, gpu: lane.gpu, start_ns: slices[0].start, end_ns: last.end, cause: longest.told.kind, gap: true };
    return { lost_ns: slices.reduce((sum, slice) => sum + slice.busy, 0), ...seen, ...known, slices };
  }
  return known ? { ...known, slices: [] } : null;
}
