// Where each track of a timeline is drawn: GPUs with their streams on top, then each thread with what it does. A group can be
// folded to its first row, and each row made higher or lower.
import { timeline } from "./timeline_data.js";

const HEIGHTS = { lost: 34, stream: 16, thread: 18, line: 16, native: 16, range: 16 };
export const LOWEST = 8; // pixels of a row
export const HIGHEST = 200;
const SPACE = 3; // pixels between tracks
const GROUP_SPACE = 11; // pixels between GPUs and threads
const MARGIN = 6; // pixels above the first track and below the last
const DEPTHS = 8; // levels of NVTX ranges
const MANY_GROUPS = 10; // where the threads are folded at first

const folded = new Map(); // by group
const heights = new Map(); // by row

// The rows of the timeline, {id, group, tracks, y, height, label, isHead, folds}, and the height of all: {rows, height}.
export function layOut() {
  const groups = timeline.parts.flatMap((_, part) => [...gpuGroups(part), ...threadGroups(part)]);
  const threads = groups.filter(({ isThread }) => isThread).length;
  const rows = [];
  let y = MARGIN;
  for (const { id, isThread, members } of groups) {
    const isFolded = folded.get(id) ?? (isThread && threads > 2 && groups.length > MANY_GROUPS);
    for (const [index, member] of members.entries()) {
      if (isFolded && index > 0) break;
      const height = heights.get(member.id) ?? HEIGHTS[member.shows];
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
  const own = timeline.tracks.filter((track) => track.part === part);
  return own
    .filter(({ shows }) => shows === "lost")
    .map((lost) => {
      const streams = own.filter((track) => track.shows === "stream" && track.gpu === lost.gpu);
      const processes = new Set(streams.map(({ pid }) => pid)).size;
      const nameOf = ({ stream, pid }) => (processes > 1 ? `stream ${stream} of ${pid}` : `stream ${stream}`);
      const rank = about.ranks[lost.gpu];
      const name = `${prefix(about)}${rank === undefined ? "" : `rank ${rank}, `}GPU ${lost.gpu}`;
      const id = `${part}/gpu/${lost.gpu}`;
      const members = [
        { id, shows: "lost", tracks: [lost], label: name, part, gpu: lost.gpu },
        ...streams.map((track) => ({
          id: `${id}/${track.pid}/${track.stream}`,
          shows: "stream",
          tracks: [track],
          label: nameOf(track),
          part,
          gpu: lost.gpu,
        })),
      ];
      return { id, isThread: false, members };
    });
}

function threadGroups(part) {
  const own = timeline.tracks.filter((track) => track.part === part && track.thread_number !== undefined);
  const numbers = [...new Set(own.map((track) => track.thread_number))].sort((one, other) => one - other);
  return numbers.map((number) => {
    const ofThread = own.filter((track) => track.thread_number === number);
    const thatShow = (shows) => ofThread.filter((track) => track.shows === shows);
    const id = `${part}/thread/${number}`;
    const { thread } = ofThread[0];
    const row = (shows, tracks, label, rest = "") => ({ id: `${id}${rest}`, shows, tracks, label, part, number, thread });
    // launches and states in one row: at any time a thread does one of them
    const first = row("thread", [...thatShow("state"), ...thatShow("launch")], `${prefix(timeline.parts[part])}${thread}`);
    const lines = thatShow("line").map((track) => row("line", [track], "line of code", "/line"));
    const native = thatShow("native").map((track) => row("native", [track], "native code", "/native"));
    const ranges = thatShow("range")
      .filter(({ depth }) => depth <= DEPTHS)
      .sort((one, other) => one.depth - other.depth)
      .map((track) => row("range", [track], track.depth > 1 ? "" : "NVTX ranges", `/${track.depth}`));
    return { id, isThread: true, members: [first, ...lines, ...native, ...ranges] };
  });
}
