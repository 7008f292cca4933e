// The tooltip of a box of a timeline.
import { data } from "./data.js";
import { el } from "./dom.js";
import { stepAt } from "./places.js";
import { swatch } from "./theme.js";
import { boxesAt, timeline } from "./timeline_data.js";
import { count, duration, timestamp } from "./units.js";

// What a thread did, by the state of a segment or of the thread.
export const STATES = new Map(
  Object.entries({
    launch: "was launching",
    run: "ran other code",
    sync: "waited for the GPU",
    upload: "was blocked by a copy to the GPU",
    memory: "allocated or freed memory",
    module: "loaded GPU code",
    io: "read or wrote files",
    lock: "waited for a lock",
    wait: "waited for another thread or process",
    sleep: "slept",
    profiler: "was held by the profiler",
    gil: "held the GIL",
    queued: "had launched in time: the wait is the GPU's own",
    stalled: "had launched in time: the activity waited for something else",
    unknown: "is not in the trace",
    communication: "had launched in time: only communication ran",
    copy: "had launched in time: only copies ran",
    interrupted: "had launched in time: another program had the GPU",
    off_cpu: "had no CPU core",
    migration: "waited for pages of managed memory",
  }),
);

// What a box that stands for several is made of: singular and plural.
const MERGED = new Map(
  Object.entries({
    stream: ["activity", "activities"],
    launch: ["launch", "launches"],
    state: ["wait", "waits"],
    range: ["range", "ranges"],
    line: ["line", "lines"],
    native: ["function", "functions"],
    lost: ["segment", "segments"],
  }),
);

// The tooltip of a box in a row of the timeline.
export function tip({ row, track, box }) {
  const { details, start, busy, times, extra, activity } = box;
  const from = ["from", when(row.part, start)];
  if (times > 1) return card(mergedTitle(track, box), [from, ["busy", duration(busy)]]);
  const title = (text) => [el("strong", { class: "whole" }, text), ` ${duration(busy)}`];
  switch (track.shows) {
    case "lost":
      return card([swatch(details.kind), title(details.kind)].flat(), [
        ...segmentFacts(details),
        from,
        ["part of", extra ? `gap ${extra} of its step: click for all of it` : null],
      ]);
    case "stream": {
      const launched = extra ? `${duration(extra - 1)} before it started` : "by a call that is not in the trace";
      return card(title(details.name), [["kind", details.kind], ["launched", launched], from]);
    }
    case "state":
      return card(title(STATES.get(details.kind) ?? details.kind), [["in", details.name], from]);
    case "launch": {
      const waited = activity ? boxesAt(activity.track, 0).start[activity.index] - start : null;
      const until = waited === null ? null : `${duration(waited)} later`;
      return card(title(`launched ${details.name ?? "an activity"}`), [from, ["started", until]]);
    }
    case "line":
      return card(title(details.name), [from, ["source", "Python samples"]]);
    case "native":
      return card(title(details.name), [from, ["source", "CPU samples"]]);
    default:
      return card(title(details.name), [["kind", "NVTX range"], from]);
  }
}

function when(part, time) {
  const step = stepAt(part, time);
  if (!step) return timestamp(time - timeline.parts[part].shift_ns);
  const into = data.unit === "window" ? "the window" : `${data.unit ?? "step"} ${step[0]}`;
  return `${duration(time - step[1])} into ${into}`;
}

// Why a segment is lost time, as pairs of a name and a value.
function segmentFacts({ thread, state, call, nvtx }) {
  return [
    ["thread", thread && `${thread} ${STATES.get(state) ?? state}`],
    ["in", call],
    ["NVTX", nvtx],
  ];
}

function mergedTitle({ shows }, { details, times }) {
  const [singular, plural] = MERGED.get(shows);
  const kind = shows === "lost" || shows === "stream" ? ` of ${details.kind}` : "";
  return [
    shows === "lost" && swatch(details.kind),
    el("strong", {}, `${count(times, singular, plural)}${kind}`),
    ", drawn as one",
  ];
}

// A title, and the facts that are known.
function card(title, facts) {
  const known = facts.filter(([, value]) => value);
  return el(
    "div",
    { class: "tip" },
    el("p", {}, title),
    el(
      "dl",
      {},
      known.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
    ),
  );
}
