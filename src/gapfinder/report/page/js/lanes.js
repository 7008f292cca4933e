// Where each lane of a timeline is drawn: GPUs with their streams on top, then each thread with what it does.
const HEIGHTS = { lost: 34, stream: 15, state: 18, line: 15, range: 16 };
const SPACE = 3; // pixels between lanes
const GROUP_SPACE = 12; // pixels between GPUs and threads
const MARGIN = 4; // pixels above the first lane and below the last

// The rows of a timeline, {lane, y, height, label, head}, and the height of all: {rows, height}.
export function layOut(lanes) {
  const rows = [];
  let y = MARGIN;
  const add = (lane, label, head = false) => {
    const height = HEIGHTS[lane.track];
    rows.push({ lane, y, height, label, head });
    y += height + SPACE;
  };
  for (const gpu of lanes.filter(({ track }) => track === "lost")) {
    add(gpu, `GPU ${gpu.gpu}`, true);
    const streams = lanes.filter((lane) => lane.track === "stream" && lane.gpu === gpu.gpu);
    const processes = new Set(streams.map(({ pid }) => pid)).size;
    for (const lane of streams) add(lane, processes > 1 ? `stream ${lane.stream} of ${lane.pid}` : `stream ${lane.stream}`);
    y += GROUP_SPACE - SPACE;
  }
  for (const place of threadPlaces(lanes)) {
    const ofThread = lanes.filter((lane) => lane.place === place);
    const withTrack = (track) => ofThread.filter((lane) => lane.track === track);
    add(stateLane([...withTrack("launch"), ...withTrack("state")], ofThread[0]), ofThread[0].thread, true);
    for (const lane of withTrack("line")) add(lane, "line of code");
    for (const lane of withTrack("range").sort((one, other) => one.depth - other.depth)) add(lane, lane.depth > 1 ? "" : "NVTX");
    y += GROUP_SPACE - SPACE;
  }
  return { rows, height: y - GROUP_SPACE + SPACE + MARGIN };
}

// The places of the threads among each other, in order.
function threadPlaces(lanes) {
  const places = lanes.filter(({ thread }) => thread).map(({ place }) => place);
  return [...new Set(places)].sort((one, other) => one - other);
}

// Launches and states in one lane: at any time a thread does one of them.
function stateLane(lanes, { thread, place }) {
  return { track: "state", thread, place, boxes: lanes.flatMap((lane) => lane.boxes.map((box) => ({ ...box, lane }))) };
}
