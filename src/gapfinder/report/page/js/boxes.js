// How the boxes of a timeline are drawn: the custom series of its chart.
import { font } from "./chart.js";
import { colour, textOn, variable } from "./theme.js";

const OPS = { compute: "--op-compute", copy: "--op-copy", communication: "--op-communication" };
const CHARACTER = 6.4; // pixels, about, in 11px type
const SHORTEST = 7; // characters: no name is cut to fewer
const LEAST = 0.7; // pixels: what is shorter on a thread shows all the same

// A series for the rows of `lanes.js`, with a box as [start, end, row, place in the lane].
export function boxesSeries(rows, cause) {
  const paint = painter(cause);
  const values = rows.flatMap(({ lane }, row) => lane.boxes.map((box, at) => [box.start, box.end, row, at]));
  return {
    type: "custom",
    id: "boxes",
    animation: false,
    progressive: 0,
    clip: true,
    encode: { x: [0, 1], y: 2 },
    data: values,
    renderItem: (params, api) => {
      const { y, height, lane } = rows[api.value(2)];
      const box = lane.boxes[api.value(3)];
      return drawn(params.coordSys, api, y, height, paint(lane, box));
    },
  };
}

// What a GPU does when nothing is lost: compute, under the lost time.
export function computeSeries(rows, length) {
  const gpus = rows.map((row, at) => [0, length, at]).filter(([, , at]) => rows[at].lane.track === "lost");
  return {
    type: "custom",
    id: "compute",
    animation: false,
    silent: true,
    clip: true,
    encode: { x: [0, 1], y: 2 },
    data: gpus,
    renderItem: (params, api) => {
      const { y, height } = rows[api.value(2)];
      return drawn(params.coordSys, api, y, height, { fill: variable("--compute") });
    },
  };
}

function drawn(area, api, y, height, look) {
  const left = api.coord([api.value(0), 0])[0];
  const right = api.coord([api.value(1), 0])[0];
  const x = Math.max(area.x, left);
  const width = Math.min(area.x + area.width, Math.max(right, left + (look.least ?? 0))) - x;
  if (width <= 0) return null;
  const top = area.y + y + (look.inset ?? 0);
  const tall = height - 2 * (look.inset ?? 0);
  const box = {
    type: "rect",
    shape: { x, y: top, width, height: tall },
    style: { fill: look.fill, opacity: look.opacity ?? 1 },
    emphasis: { style: { stroke: variable("--ink"), lineWidth: 1 } },
  };
  const room = Math.floor((width - 8) / CHARACTER);
  if (!look.text || room < Math.min(look.text.length, SHORTEST)) return box;
  const text = look.text.length <= room ? look.text : `${look.text.slice(0, room - 1)}…`;
  const label = {
    type: "text",
    silent: true,
    style: { x: x + 4, y: top + tall / 2, text, fill: look.ink, fontSize: 11, fontFamily: font(), verticalAlign: "middle" },
  };
  return { type: "group", children: [box, label] };
}

function painter(cause) {
  const known = new Map();
  const fill = (name) => {
    if (!known.has(name)) known.set(name, name.startsWith("--") ? variable(name) : colour(name));
    return known.get(name);
  };
  const ink = variable("--ink");
  return (lane, box) => {
    const { kind, name } = box.told;
    if (lane.track === "lost") {
      const faded = cause !== null && cause !== kind;
      const look = faded ? { fill: fill("--faded"), ink: fill("--quiet") } : { fill: fill(kind), ink: textOn(fill(kind)) };
      return { ...look, text: kind, opacity: box.busy / Math.max(1, box.end - box.start) };
    }
    if (lane.track === "stream") return { fill: fill(OPS[kind]), text: name, ink, opacity: box.times > 1 ? 0.75 : 1, inset: 1 };
    if (lane.track === "range") return { fill: fill("--range"), text: name, ink, least: LEAST, inset: 0.5 };
    if (lane.track === "line") return { fill: fill("--range"), text: name, ink, least: LEAST };
    if (kind === "launch") return { fill: fill("--running"), least: LEAST, inset: 4 };
    return { fill: fill("--blocked"), text: kind, ink: "#000000", least: LEAST, inset: 1 };
  };
}
