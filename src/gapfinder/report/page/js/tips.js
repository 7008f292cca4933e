// What is said of a box when a reader points at it, as elements.
import { el } from "./dom.js";
import { swatch } from "./theme.js";
import { count, duration } from "./units.js";

// What the submitter did, by the state of a slice or of a thread.
export const DOING = {
  submit: "was launching",
  run: "ran other code",
  sync: "waited for the GPU",
  upload: "was blocked by a copy to the GPU",
  memory: "allocated or freed memory",
  module: "loaded GPU code",
  io: "worked on files",
  lock: "waited for a lock",
  wait: "waited to be given something",
  sleep: "slept",
  profiler: "was held by the profiler",
  gil: "held the GIL",
  queued: "had launched in time: the wait is the GPU's own",
  stalled: "had launched in time: the op waited for something else",
  unknown: "is not in the trace",
  communication: "had launched it: only communication ran",
  copy: "had launched it: only copies ran",
};

export function tip(lane, box, step) {
  const from = `${duration(box.start)} into the step`;
  if (box.times > 1) return about(merged(lane, box), [["from", from], ["busy", duration(box.busy)]]);
  const { told } = box;
  if (lane.track === "lost") {
    return about(
      [swatch(told.kind), el("strong", {}, told.kind), ` ${duration(box.busy)}`],
      [...slice(told), ["from", from], ["part of", `gap ${box.extra} of step ${step}: click for all of it`]],
    );
  }
  if (lane.track === "stream") {
    const launched = box.extra ? `${duration(box.extra)} before it started` : "by a call that is not in the trace";
    return about([el("strong", {}, told.name), ` ${duration(box.busy)}`], [["what", told.kind], ["launched", launched], ["from", from]]);
  }
  if (lane.track === "state") return about([el("strong", {}, DOING[told.kind] ?? told.kind), ` ${duration(box.busy)}`], [["in", told.name], ["from", from]]);
  if (lane.track === "launch") return about([el("strong", {}, `launched ${told.name ?? "an op"}`), ` ${duration(box.busy)}`], [["from", from]]);
  if (lane.track === "line") return about([el("strong", {}, told.name), ` ${duration(box.busy)}`], [["from", from], ["known", "from Python samples"]]);
  return about([el("strong", {}, told.name), ` ${duration(box.busy)}`], [["what", "NVTX range"], ["from", from]]);
}

// The reasons for a slice, as pairs of words.
export function slice(told) {
  return [
    ["thread", told.thread && `${told.thread} ${DOING[told.state] ?? told.state}`],
    ["in", told.call],
    ["NVTX", told.nvtx],
  ].filter(([, value]) => value);
}

function merged(lane, box) {
  const what = { stream: "op", launch: "launch", state: "wait", range: "range", line: "line", lost: "slice" }[lane.track];
  const kind = lane.track === "lost" || lane.track === "stream" ? ` of ${box.told.kind}` : "";
  const plural = count(box.times, what).replace("launchs", "launches");
  return [lane.track === "lost" && swatch(box.told.kind), el("strong", {}, `${plural}${kind}`), ", drawn as one"];
}

function about(title, pairs) {
  return el(
    "div",
    { class: "tip" },
    el("p", {}, title),
    el("dl", {}, pairs.filter(([, value]) => value).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]).flat()),
  );
}
