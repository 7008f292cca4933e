// What a time is made of: on each GPU, compute and the lost time of each cause, and what ran.
import { box, firstAfter, timeline, visibleBoxes } from "./timeline_data.js";

// {from, to, gpus, activities, name, nameNs, isExact}. Of each GPU: {label, part, gpu, compute, lost, before,
// after}, `lost` a Map by cause. It is not exact where the page holds only levels of detail.
export function measure(rows, from, to) {
  let isExact = true;
  const gpus = rows
    .filter(({ shows }) => shows === "lost")
    .map(({ tracks: [track], label, part, gpu }) => {
      const lost = new Map();
      isExact &&= forEach(track, from, to, (cause, ns) => lost.set(cause, (lost.get(cause) ?? 0) + ns));
      const { from: first, to: last } = timeline.parts[part];
      const within = Math.max(0, Math.min(to, last) - Math.max(from, first));
      const total = [...lost.values()].reduce((sum, ns) => sum + ns, 0);
      const byTime = new Map([...lost].sort((one, other) => other[1] - one[1]));
      return { label, part, gpu, compute: within - total, lost: byTime, ...neighbors(part, gpu, from, to) };
    });
  return { from, to, gpus, isExact, ...activitiesIn(from, to) };
}

// Calls a function with the kind and the time of each box of a track within a time. Returns whether no box stood for several.
function forEach(track, from, to, add) {
  let isExact = true;
  for (const [start, end, boxes] of visibleBoxes(track, from, to, 0)) {
    for (let index = firstAfter(boxes, start); index < boxes.count && boxes.start[index] < end; index++) {
      const overlap = Math.min(boxes.end[index], end) - Math.max(boxes.start[index], start);
      if (overlap <= 0) continue;
      isExact &&= boxes.times[index] === 1 || overlap === boxes.end[index] - boxes.start[index];
      add(
        timeline.details[boxes.detail[index]].kind,
        (overlap * boxes.busy[index]) / Math.max(1, boxes.end[index] - boxes.start[index]),
        index,
        boxes,
      );
    }
  }
  return isExact;
}

// The activity that ends as a time begins, and the one that starts as it ends: {before, after}, where there are such.
function neighbors(part, gpu, from, to) {
  const tracks = timeline.tracks.filter((track) => track.shows === "stream" && track.part === part && track.gpu === gpu);
  const edge = (time, column) => {
    for (const track of tracks) {
      for (const [start, end, boxes] of visibleBoxes(track, time - 1, time + 1, 0)) {
        for (let index = firstAfter(boxes, start); index < boxes.count && boxes.start[index] < end; index++) {
          if (boxes[column][index] === time) return timeline.details[boxes.detail[index]].name;
        }
      }
    }
    return undefined;
  };
  return { before: edge(from, "end"), after: edge(to, "start") };
}

function activitiesIn(from, to) {
  let activities = 0;
  const byName = new Map();
  for (const track of timeline.tracks.filter(({ shows }) => shows === "stream")) {
    forEach(track, from, to, (_, ns, index, boxes) => {
      const { details, times } = box(boxes, index);
      activities += times;
      if (details.name) byName.set(details.name, (byName.get(details.name) ?? 0) + ns);
    });
  }
  const [name, nameNs] = [...byName].sort((one, other) => other[1] - one[1])[0] ?? [null, 0];
  return { activities, name, nameNs };
}
