// The timelines that the page holds. A timeline is decoded when it is first looked at.
import { data } from "./data.js";

const decoded = new Map();

// The steps that have a timeline, by number.
export const timelineSteps = Object.keys(data.timelines)
  .map(Number)
  .sort((one, other) => one - other);

// The timeline of a step: {start_ns, length_ns, resolution_ns, lanes, places}; null where the page has none.
// The boxes of a lane are {start, end, details, extra, times, busy} in order of their start, in ns from the start of the step.
// `extra` is the number of the gap on a lane of lost time, and on a stream how long before its start the activity was launched.
// A box that stands for several short ones has their number in `times`, and their time in `busy`.
export function timeline(step) {
  if (!(step in data.timelines)) return null;
  if (!decoded.has(step)) {
    const encoded = data.timelines[step];
    const length = data.steps.length_ns[data.steps.number.indexOf(step)];
    decoded.set(step, { ...encoded, length_ns: length, lanes: encoded.lanes.map((lane) => ({ ...lane, boxes: boxes(lane) })) });
  }
  return decoded.get(step);
}

// Starts are encoded as the distance from the start before.
function boxes(lane) {
  const found = [];
  let start = 0;
  for (let index = 0; index < lane.boxes.length; index += 4) {
    const [distance, length, details, extra] = lane.boxes.slice(index, index + 4);
    start += distance;
    found.push({ start, end: start + length, details: data.details[details], extra, times: 1, busy: length });
  }
  start = 0;
  for (let index = 0; index < lane.merged.length; index += 5) {
    const [distance, length, details, times, busy] = lane.merged.slice(index, index + 5);
    start += distance;
    found.push({ start, end: start + length, details: data.details[details], extra: 0, times, busy });
  }
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

// A lost interval is a gap, or the time of an exposed copy or communication. A step numbers its own from 1, the longest first.

// The lost interval of a step with this number, and its segments; null where there is none.
export function lostInterval(step, number) {
  const found = timeline(step);
  if (!found) return null;
  const listed = found.places.find((one) => one.number === number);
  for (const lane of found.lanes.filter(({ track }) => track === "lost")) {
    const segments = lane.boxes.filter((box) => box.times === 1 && box.extra === number);
    if (!segments.length) continue;
    const longest = segments.reduce((one, other) => (other.busy > one.busy ? other : one));
    const drawn = {
      number,
      gpu: lane.gpu,
      start_ns: segments[0].start,
      end_ns: segments.at(-1).end,
      lost_ns: segments.reduce((sum, segment) => sum + segment.busy, 0),
      cause: longest.details.kind,
      gap: true,
    };
    return { ...drawn, ...listed, segments };
  }
  return listed ? { ...listed, segments: [] } : null;
}

// The lost interval that starts at a time of the trace: {step, gap}, gap being its number; null where the page does not hold it.
export function lostIntervalAt(timeNs) {
  for (const step of timelineSteps) {
    const { start_ns: from, length_ns: length, lanes } = timeline(step);
    if (timeNs < from || timeNs >= from + length) continue;
    const segments = lanes.filter(({ track }) => track === "lost").flatMap((lane) => lane.boxes);
    const first = segments.find(({ start, extra }) => extra && from + start === timeNs);
    if (first) return { step, gap: first.extra };
  }
  return null;
}
