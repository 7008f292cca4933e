// The gap that is chosen: a band from the GPU down to the threads, and a line from the launch that ended it.
import { colour, variable } from "./theme.js";

export function marksSeries(rows, place) {
  return {
    type: "custom",
    id: "marks",
    animation: false,
    silent: true,
    z: 5,
    clip: true,
    encode: { x: [0, 1] },
    data: place ? [[place.start_ns, place.end_ns]] : [],
    renderItem: (params, api) => {
      const { y, height } = params.coordSys;
      const x = api.coord([place.start_ns, 0])[0];
      const width = Math.max(1, api.coord([place.end_ns, 0])[0] - x);
      const gpu = rows.find(({ lane }) => lane.track === "lost" && lane.gpu === place.gpu);
      const top = y + gpu.y;
      const shown = colour(place.cause);
      const band = { type: "rect", shape: { x, y: top, width, height: height - gpu.y }, style: { fill: shown, opacity: 0.13 } };
      const frame = { type: "rect", shape: { x, y: top, width, height: gpu.height }, style: { fill: "transparent", stroke: variable("--ink"), lineWidth: 1.5 } };
      return { type: "group", children: [band, frame, ...launch(rows, place, api, y, top + gpu.height)] };
    },
  };
}

function launch(rows, place, api, y, end) {
  const thread = rows.find(({ lane }) => lane.track === "state" && lane.thread === place.thread);
  if (!thread || place.launched_ns === undefined) return [];
  const [from] = api.coord([place.launched_ns, 0]);
  const [to] = api.coord([place.end_ns, 0]);
  const points = [[from, y + thread.y + thread.height / 2], [to, end]];
  const style = { stroke: variable("--ink"), lineWidth: 1, lineDash: [3, 2], fill: null };
  return [
    { type: "polyline", shape: { points }, style },
    { type: "circle", shape: { cx: from, cy: points[0][1], r: 3 }, style: { fill: variable("--ink") } },
  ];
}
