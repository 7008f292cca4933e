// Where each lane of a timeline is drawn: GPUs with their streams on top, then each thread with what it does. A group can be
// folded to its first row, and each row made higher or lower.
import { timeline } from "./timeline_data.js";

const HEIGHTS = { lost: 34, stream: 16, thread: 18, line: 16, native: 16, range: 16 };
export const LOWEST = 8; // pixels of a row
export const HIGHEST = 200;
const SPACE = 3; // pixels between lanes
const GROUP_SPACE = 11; // pixels between GPUs and threads
const MARGIN = 6; // pixels above the first lane and below the last
const DEPTHS = 8; // levels of NVTX ranges
const MANY_GROUPS = 10; // where the threads are folded at first

const folded = new Map(); // by group
const heights = new Map(); // by row

// The rows of the timeline, {id, group, lanes, y, height, label, isHead, folds}, and the height of all: {rows, height}.
export function layOut() {
  const groups = timeline.parts.flatMap((_, part) => [...gpuGroups(part), ...threadGroups(part)]);
  const threads = groups.filter(({ isThread }) => isThread).length;
  const rows = [];
  let y = MARGIN;
  for (const { id, isThread, members } of groups) {
    const isFolded = folded.get(id) ?? (isThread && threads > 2 && groups.length > MANY_GROUPS);
    for (const [index, member] of members.entries()) {
      if (isFolded && index > 0) break;
      const height = heights.get(member.id) ?? HEIGHTS[member.track];
      const isHead = index === 0;
      rows.push({ ...member, group: id, y, height, isHead, folds: isHead && members.length > 1, isFolded });
      y += height + SPACE;
    }
    y += GROUP_SPACE - SPACE;
  }
  return { rows, height: y - GROUP_SPACE + MARGIN };
}

export function fold(group, isFolded) {
  folded.set(group, isFolded);
}

export function resize(row, height) {
  heights.set(row.id, Math.min(HIGHEST, Math.max(LOWEST, Math.round(height))));
}

// A name in front of what belongs to one of several traces or ranks.
function prefix({ label }) {
  return label === null ? "" : `${label}, `;
}

function gpuGroups(part) {
  const about = timeline.parts[part];
  const own = timeline.lanes.filter((lane) => lane.part === part);
  return own
    .filter(({ track }) => track === "lost")
    .map((lost) => {
      const streams = own.filter((lane) => lane.track === "stream" && lane.gpu === lost.gpu);
      const processes = new Set(streams.map(({ pid }) => pid)).size;
      const nameOf = ({ stream, pid }) => (processes > 1 ? `stream ${stream} of ${pid}` : `stream ${stream}`);
      const rank = about.ranks[lost.gpu];
      const name = `${prefix(about)}${rank === undefined ? "" : `rank ${rank}, `}GPU ${lost.gpu}`;
      const id = `${part}/gpu/${lost.gpu}`;
      const members = [
        { id, track: "lost", lanes: [lost], label: name, part, gpu: lost.gpu },
        ...streams.map((lane) => ({
          id: `${id}/${lane.pid}/${lane.stream}`,
          track: "stream",
          lanes: [lane],
          label: nameOf(lane),
          part,
          gpu: lost.gpu,
        })),
      ];
      return { id, isThread: false, members };
    });
}

function threadGroups(part) {
  const own = timeline.lanes.filter((lane) => lane.part === part && lane.thread_number !== undefined);
  const numbers = [...new Set(own.map((lane) => lane.thread_number))].sort((one, other) => one - other);
  return numbers.map((number) => {
    const ofThread = own.filter((lane) => lane.thread_number === number);
    const withTrack = (track) => ofThread.filter((lane) => lane.track === track);
    const id = `${part}/thread/${number}`;
    const { thread } = ofThread[0];
    const row = (track, lanes, label, rest = "") => ({ id: `${id}${rest}`, track, lanes, label, part, number, thread });
    // launches and states in one row: at any time a thread does one of them
    const first = row("thread", [...withTrack("state"), ...withTrack("launch")], `${prefix(timeline.parts[part])}${thread}`);
    const lines = withTrack("line").map((lane) => row("line", [lane], "line of code", "/line"));
    const native = withTrack("native").map((lane) => row("native", [lane], "native code", "/native"));
    const ranges = withTrack("range")
      .filter(({ depth }) => depth <= DEPTHS)
      .sort((one, other) => one.depth - other.depth)
      .map((lane) => row("range", [lane], lane.depth > 1 ? "" : "NVTX ranges", `/${lane.depth}`));
    return { id, isThread: true, members: [first, ...lines, ...native, ...ranges] };
  });
}
