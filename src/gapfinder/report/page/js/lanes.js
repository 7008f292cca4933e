// Where each lane of a timeline is drawn: GPUs with their streams on top, then each thread with what it does.
const GAP = 12; // pixels between GPUs and threads

const HEIGHTS = { lost: 34, stream: 15, state: 18, line: 15, range: 16 };
const PAD = 3;

// Lanes with `y`, `height` and `label`, and the height of all: {rows, height}.
export function laid(lanes) {
  const rows = [];
  let y = 4;
  const add = (lane, label, head = false) => {
    rows.push({ lane, y, height: HEIGHTS[lane.track] ?? HEIGHTS.state, label, head });
    y += HEIGHTS[lane.track] + PAD;
  };
  const gpus = lanes.filter(({ track }) => track === "lost");
  for (const gpu of gpus) {
    add(gpu, `GPU ${gpu.gpu}`, true);
    const streams = lanes.filter((lane) => lane.track === "stream" && lane.gpu === gpu.gpu);
    const processes = new Set(streams.map(({ pid }) => pid)).size;
    for (const lane of streams) add(lane, processes > 1 ? `stream ${lane.stream} of ${lane.pid}` : `stream ${lane.stream}`);
    y += GAP - PAD;
  }
  const threads = [...new Set(lanes.filter(({ thread }) => thread).sort((one, other) => one.place - other.place).map(({ place }) => place))];
  for (const place of threads) {
    const of = (track) => lanes.filter((lane) => lane.track === track && lane.place === place);
    // launches and states are one lane: a thread is in one of them
    const states = [...of("launch"), ...of("state")];
    const { thread } = lanes.find((lane) => lane.place === place);
    const lines = of("line");
    const ranges = of("range").sort((one, other) => one.depth - other.depth);
    const state = { track: "state", thread, place, boxes: states.flatMap((lane) => lane.boxes.map((box) => ({ ...box, lane }))) };
    add(state, thread, true);
    for (const lane of lines) add(lane, "line of code");
    for (const lane of ranges) add(lane, lane.depth > 1 ? "" : "NVTX");
    y += GAP - PAD;
  }
  return { rows, height: y - GAP + PAD + 4 };
}
