// The gap that is selected: a band from its GPU down to the threads, and a line from the launch that ended it.
import { causeHex, cssVariable } from "./theme.js";

export function marksSeries(rows, gap) {
  return {
    type: "custom",
    id: "marks",
    animation: false,
    silent: true,
    z: 5,
    clip: true,
    encode: { x: [0, 1] },
    data: gap ? [[gap.start_ns, gap.end_ns]] : [],
    renderItem: (params, api) => {
      const { y, height } = params.coordSys;
      const x = api.coord([gap.start_ns, 0])[0];
      const width = Math.max(1, api.coord([gap.end_ns, 0])[0] - x);
      const gpu = rows.find(({ lane }) => lane.track === "lost" && lane.gpu === gap.gpu);
      const top = y + gpu.y;
      const band = {
        type: "rect",
        shape: { x, y: top, width, height: height - gpu.y },
        style: { fill: causeHex(gap.cause), opacity: 0.13 },
      };
      const frame = {
        type: "rect",
        shape: { x, y: top, width, height: gpu.height },
        style: { fill: "transparent", stroke: cssVariable("--ink"), lineWidth: 1.5 },
      };
      return { type: "group", children: [band, frame, ...launchLine(rows, gap, api, y, top + gpu.height)] };
    },
  };
}

// From the launch, on the lane of its thread, to the end of the gap.
function launchLine(rows, gap, api, y, gapBottom) {
  const thread = rows.find(({ lane }) => lane.track === "state" && lane.thread === gap.thread);
  if (!thread || gap.launched_ns === undefined) return [];
  const [launchX] = api.coord([gap.launched_ns, 0]);
  const [endX] = api.coord([gap.end_ns, 0]);
  const launchY = y + thread.y + thread.height / 2;
  const points = [
    [launchX, launchY],
    [endX, gapBottom],
  ];
  const ink = cssVariable("--ink");
  return [
    { type: "polyline", shape: { points }, style: { stroke: ink, lineWidth: 1, lineDash: [3, 2], fill: null } },
    { type: "circle", shape: { cx: launchX, cy: launchY, r: 3 }, style: { fill: ink } },
  ];
}
