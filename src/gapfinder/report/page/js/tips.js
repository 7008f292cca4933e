// The tooltip of a box of a timeline.
import { el } from "./dom.js";
import { swatch } from "./theme.js";
import { count, duration } from "./units.js";

// What a thread did, by the state of a segment or of the thread.
export const STATES = {
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
};

// What a box that stands for several is made of: singular and plural.
const MERGED = {
  stream: ["activity", "activities"],
  launch: ["launch", "launches"],
  state: ["wait", "waits"],
  range: ["range", "ranges"],
  line: ["line", "lines"],
  lost: ["segment", "segments"],
};

export function tip(lane, box, step) {
  const { details, start, busy, times, extra } = box;
  const from = ["from", `${duration(start)} into the step`];
  if (times > 1) return card(mergedTitle(lane, box), [from, ["busy", duration(busy)]]);
  const title = (text) => [el("strong", {}, text), ` ${duration(busy)}`];
  switch (lane.track) {
    case "lost":
      return card([swatch(details.kind), title(details.kind)].flat(), [
        ...segmentFacts(details),
        from,
        ["part of", `gap ${extra} of step ${step}: click for all of it`],
      ]);
    case "stream": {
      const launched = extra ? `${duration(extra)} before it started` : "by a call that is not in the trace";
      return card(title(details.name), [["kind", details.kind], ["launched", launched], from]);
    }
    case "state":
      return card(title(STATES[details.kind] ?? details.kind), [["in", details.name], from]);
    case "launch":
      return card(title(`launched ${details.name ?? "an activity"}`), [from]);
    case "line":
      return card(title(details.name), [from, ["source", "Python samples"]]);
    default:
      return card(title(details.name), [["kind", "NVTX range"], from]);
  }
}

// Why a segment is lost time, as pairs of a name and a value.
function segmentFacts({ thread, state, call, nvtx }) {
  return [
    ["thread", thread && `${thread} ${STATES[state] ?? state}`],
    ["in", call],
    ["NVTX", nvtx],
  ];
}

function mergedTitle({ track }, { details, times }) {
  const [singular, plural] = MERGED[track];
  const kind = track === "lost" || track === "stream" ? ` of ${details.kind}` : "";
  return [
    track === "lost" && swatch(details.kind),
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
