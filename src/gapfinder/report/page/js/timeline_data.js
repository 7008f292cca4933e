// The timeline that the page holds: tracks of boxes at several levels of detail. A level is decoded when it is first drawn.
import { data } from "./data.js";

// Filled by loadTimeline: the time of 0 on the trace's clock, what boxes refer to, the traces shown, their tracks, and late ranks.
export const timeline = { startNs: 0, details: [], parts: [], tracks: [], arrivals: [], from: 0, to: 1 };
const NO_BOXES = { count: 0, start: [], end: [], reach: [], detail: [], times: [], busy: [], extra: [] };
const MADE = [1 / 4, 1 / 16, 1 / 64]; // levels that are made in the browser, as parts of the finest of the page
const CLOSEST_MADE = 500; // ns; below it, few boxes are seen at a time
let numbers = null;

// Unpacks the timeline. All else waits for it, since a browser inflates data only in the background.
export async function loadTimeline() {
  if (!data.timeline) return;
  const [text, bytes] = await Promise.all([inflated(data.timeline.text), inflated(data.timeline.numbers)]);
  const { start_ns: startNs, details, parts, tracks, arrivals } = JSON.parse(new TextDecoder().decode(text));
  numbers = bytes;
  Object.assign(timeline, { startNs, details, parts });
  timeline.arrivals = arrivals.map((late) => ({ ...late, ...gpuOf(late.rank) })).filter(({ part }) => part !== undefined);
  timeline.from = Math.min(...parts.map((part) => part.from));
  timeline.to = Math.max(...parts.map((part) => part.to));
  timeline.tracks = tracks.map((track) => ({ ...track, decoded: new Map() }));
}

// The trace and the GPU of a rank: {part, gpu}; nothing where the page does not show it.
export function gpuOf(rank) {
  for (const [part, { ranks }] of timeline.parts.entries()) {
    for (const [gpu, number] of Object.entries(ranks)) if (number === rank) return { part, gpu: Number(gpu) };
  }
  return {};
}

async function inflated(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The boxes of a track at a level, as columns in order of their start. Times are in ns from the start of the timeline. `reach` is the
// latest end up to a box, `times` how many spans it stands for, and `busy` their time. `extra` is the number of the gap on a track of
// lost time, and on a stream the time from the launch to the start plus 1, where there is one.
export function boxesAt(track, resolution) {
  if (!track.decoded.has(resolution)) {
    const isMerged = resolution > 0 && !timeline.parts[track.part].levels.includes(resolution);
    track.decoded.set(resolution, isMerged ? merge(boxesAt(track, 0), resolution) : decode(track, resolution));
  }
  return track.decoded.get(resolution);
}

function decode(track, resolution) {
  const isMade = track.shows === "launch" && resolution === 0;
  if (isMade) return launches(track);
  const level = track.levels.find(([ns]) => ns === resolution);
  if (!level) return NO_BOXES;
  const [, count, firstByte] = level;
  const read = reader(firstByte, count);
  const isStream = track.shows === "stream";
  const [start, end] = track.shows === "lost" && resolution === 0 ? betweenActivities(track, read) : startsAndEnds(read);
  const detail = Uint32Array.from(read());
  const times = Uint32Array.from(read(), (more) => more + 1);
  const busy = read();
  const extra = read();
  const launchLength = isStream ? read() : null;
  const launchThread = isStream ? read() : null;
  for (let index = 0; index < count; index++) busy[index] = end[index] - start[index] - busy[index];
  return withReach({ count, start, end, detail, times, busy, extra, launchLength, launchThread });
}

// Starts as the distance from the start before, and lengths.
function startsAndEnds(read) {
  const start = read();
  const end = read();
  let last = 0;
  for (let index = 0; index < start.length; index++) {
    start[index] += last;
    last = start[index];
    end[index] += last;
  }
  return [start, end];
}

// Lost time, told by the activities of its GPU: after which it starts, unless the box before ends later, and before which it ends.
function betweenActivities({ part, gpu }, read) {
  const streams = timeline.tracks.filter((track) => track.shows === "stream" && track.part === part && track.gpu === gpu);
  const edges = (column) => sorted(streams.map((track) => boxesAt(track, 0)[column]));
  if (!streams.some((track) => boxesAt(track, 0).count)) return startsAndEnds(read);
  const ends = edges("end");
  const starts = edges("start");
  const [afterMore, start, untilMore, end] = [read(), read(), read(), read()];
  let [after, until, last] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < start.length; index++) {
    after += afterMore[index];
    until += untilMore[index];
    start[index] += Math.max(ends[after], last);
    end[index] = starts[until] - end[index];
    last = end[index];
  }
  return [start, end];
}

function sorted(columns) {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all.sort();
}

// A level between the one without merged boxes and the finest of the page, made of the former as report/boxes.py makes the others.
function merge(boxes, resolution) {
  const { count } = boxes;
  const made = {
    start: new Float64Array(count),
    end: new Float64Array(count),
    busy: new Float64Array(count),
    extra: new Float64Array(count),
    detail: new Uint32Array(count),
    times: new Uint32Array(count),
  };
  const columns = Object.keys(made);
  const open = new Map(); // by kind: the bucket, and the box that collects what starts in it
  let size = 0;
  for (let index = 0; index < count; index++) {
    const start = boxes.start[index];
    const end = boxes.end[index];
    const { kind, name } = timeline.details[boxes.detail[index]];
    const isShort = end - start < resolution;
    const bucket = Math.floor(start / (4 * resolution));
    const last = isShort ? open.get(kind) : undefined;
    if (last?.bucket === bucket) {
      const { at } = last;
      if (timeline.details[made.detail[at]].name !== name) made.detail[at] = detailOf(kind);
      made.end[at] = Math.max(made.end[at], end);
      made.busy[at] += boxes.busy[index];
      made.times[at] += boxes.times[index];
      made.extra[at] = 0;
      continue;
    }
    for (const column of columns) made[column][size] = boxes[column][index];
    if (last) Object.assign(last, { bucket, at: size });
    else if (isShort) open.set(kind, { bucket, at: size });
    size++;
  }
  for (const column of columns) made[column] = made[column].slice(0, size);
  return withReach({ count: size, ...made });
}

// Decodes in idle time what zooming will need, so that no frame has to wait for it.
export function warmUp() {
  const idle = globalThis.requestIdleCallback ?? ((task) => setTimeout(task, 50));
  const tasks = timeline.tracks.flatMap((track) => {
    const finest = timeline.parts[track.part].levels[0];
    return [0, ...MADE.map((factor) => factor * finest).filter((ns) => ns >= CLOSEST_MADE)].map((ns) => () => boxesAt(track, ns));
  });
  const next = () => {
    tasks.shift()?.();
    if (tasks.length) idle(next);
  };
  idle(next);
}

// The index of details that say no more than a kind.
const detailsOfKinds = new Map();
function detailOf(kind) {
  if (!detailsOfKinds.has(kind)) detailsOfKinds.set(kind, timeline.details.push({ kind }) - 1);
  return detailsOfKinds.get(kind);
}

function withReach(boxes) {
  const reach = new Float64Array(boxes.count);
  let latest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < boxes.count; index++) {
    latest = Math.max(latest, boxes.end[index]);
    reach[index] = latest;
  }
  return { ...boxes, reach };
}

// A function that reads one column of so many numbers after the other.
function reader(firstByte, count) {
  let at = firstByte;
  return () => {
    const column = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      let value = 0;
      let size = 1;
      let byte = 128;
      while (byte >= 128) {
        byte = numbers[at++];
        value += (byte & 127) * size;
        size *= 128;
      }
      column[index] = value % 2 ? -(value + 1) / 2 : value / 2;
    }
    return column;
  };
}

// The launches of a thread, from the columns of the activities that it launched. Each knows the first of its activities.
function launches({ part, thread_number: number }) {
  const found = new Map();
  for (const track of timeline.tracks) {
    if (track.shows !== "stream" || track.part !== part) continue;
    const { count, start, detail, extra, launchLength, launchThread } = boxesAt(track, 0);
    for (let index = 0; index < count; index++) {
      const at = start[index] - extra[index] + 1;
      if (extra[index] === 0 || launchThread[index] !== number || found.has(at)) continue;
      found.set(at, { at, length: launchLength[index], detail: detail[index], track, index });
    }
  }
  const sorted = [...found.values()].sort((one, other) => one.at - other.at);
  const start = Float64Array.from(sorted, ({ at }) => at);
  const length = Float64Array.from(sorted, (launch) => launch.length);
  return withReach({
    count: sorted.length,
    start,
    end: start.map((at, index) => at + length[index]),
    busy: length,
    detail: Uint32Array.from(sorted, ({ detail }) => detail),
    times: new Uint32Array(sorted.length).fill(1),
    extra: new Float64Array(sorted.length),
    activities: sorted.map(({ track, index }) => ({ track, index })),
  });
}

// The finest level that a drawing at this scale can show, for each part of a time: [[from, to, boxes]].
export function visibleBoxes(track, from, to, nsPerPixel) {
  const { levels, whole } = timeline.parts[track.part];
  const fit = levels.filter((resolution) => resolution <= nsPerPixel);
  if (fit.length) return [[from, to, boxesAt(track, fit.at(-1))]];
  const made = MADE.map((factor) => levels[0] * factor).find((resolution) => resolution <= nsPerPixel) ?? 0;
  const fine = made >= CLOSEST_MADE ? made : 0;
  const pieces = [];
  let at = from;
  for (const [start, end] of whole) {
    if (end <= at || start >= to) continue;
    if (start > at) pieces.push([at, start, boxesAt(track, levels[0])]);
    pieces.push([Math.max(at, start), Math.min(end, to), boxesAt(track, fine)]);
    at = end;
  }
  if (at < to) pieces.push([at, to, boxesAt(track, levels[0])]);
  return pieces;
}

// The index of the first box that ends after a time.
export function firstAfter({ reach, count }, time) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reach[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Whether every activity of a time is on the page by itself.
export function isWhole(part, from, to) {
  return part.whole.some(([start, end]) => start <= from && end >= to);
}

// One box as an object.
export function box(boxes, index) {
  const one = (column) => column[index];
  return {
    start: one(boxes.start),
    end: one(boxes.end),
    busy: one(boxes.busy),
    times: one(boxes.times),
    extra: one(boxes.extra),
    details: timeline.details[one(boxes.detail)],
    activity: boxes.activities?.[index],
    launchThread: boxes.launchThread?.[index],
    launchLength: boxes.launchLength?.[index],
  };
}
