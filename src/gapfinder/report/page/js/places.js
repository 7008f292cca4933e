// The gaps of each step, and the time in which an exposed copy or communication ran: "places". A step numbers its own from 1, the
// longest first.
import { box, boxesAt, firstAfter, timeline } from "./timeline_data.js";

// The places of a step of the first trace, those that the page tells of.
export function placesOf(step) {
  return (timeline.parts[0]?.places ?? []).filter((place) => place.step === step).map((place) => ({ ...place, part: 0 }));
}

// All places of a trace in order of time.
export function allPlaces() {
  return timeline.parts
    .flatMap(({ places }, part) => places.map((place) => ({ ...place, part })))
    .sort((one, other) => one.start_ns - other.start_ns);
}

// One of them, with its segments.
export function placeOf(step, number) {
  const place = placesOf(step).find((one) => one.number === number);
  return place ? { ...place, segments: segments(place) } : null;
}

// The place of a GPU at a time of the trace; null where the page has none.
export function placeAt(timeNs, gpu) {
  const time = timeNs - timeline.startNs;
  const isThere = (place) => place.gpu === gpu && place.start_ns <= time && time < place.end_ns;
  return allPlaces().find(isThere) ?? null;
}

// Those of a gap are all in its time: the first may go on from the step before. Between the pieces of an activity others may lie.
function segments({ gpu, number, gap, start_ns: start, end_ns: end }) {
  const track = timeline.tracks.find((one) => one.part === 0 && one.shows === "lost" && one.gpu === gpu);
  if (!track) return [];
  const boxes = boxesAt(track, 0);
  const found = [];
  for (let index = firstAfter(boxes, start); index < boxes.count && boxes.start[index] < end; index++) {
    if (gap || boxes.extra[index] === number) found.push(within(box(boxes, index), start, end));
  }
  return found;
}

function within(found, from, to) {
  const [start, end] = [Math.max(found.start, from), Math.min(found.end, to)];
  const cut = found.end - found.start - (end - start);
  return { ...found, start, end, busy: found.busy - cut };
}

// The lines of code that Python samples saw on a thread within a time.
export function linesOf(thread, from, to) {
  const track = timeline.tracks.find((one) => one.part === 0 && one.shows === "line" && one.thread === thread);
  if (!track) return [];
  const boxes = boxesAt(track, 0);
  const names = new Set();
  for (let index = firstAfter(boxes, from); index < boxes.count && boxes.start[index] < to; index++) {
    names.add(timeline.details[boxes.detail[index]].name);
  }
  return [...names];
}

// When something is: how long after the start of its step, or, outside of all steps, on the clock of the trace.
export function stepAt(part, time) {
  return timeline.parts[part].steps.find(([, start, end]) => start <= time && time < end) ?? null;
}
