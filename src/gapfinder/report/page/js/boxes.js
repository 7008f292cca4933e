// How the boxes of a timeline are drawn: custom series of its chart.
import { font } from "./chart.js";
import { causeHex, cssVariable, textOn } from "./theme.js";

const ACTIVITIES = { compute: "--activity-compute", copy: "--activity-copy", communication: "--activity-communication" };
const CHARACTER = 6.4; // pixels, about, in 11px type
const FEWEST = 7; // characters: no name is cut to fewer
const THINNEST = 0.7; // pixels: what a thread did is drawn at least so wide

const COMMON = { type: "custom", animation: false, clip: true, encode: { x: [0, 1], y: 2 } };

// The boxes of all rows of `lanes.js`. Where a cause is selected, lost time of other causes is faded.
export function boxesSeries(rows, selectedCause) {
  const style = styler(selectedCause);
  return {
    ...COMMON,
    id: "boxes",
    progressive: 0,
    data: rows.flatMap(({ lane }, row) => lane.boxes.map((box, index) => [box.start, box.end, row, index])),
    renderItem: (params, api) => {
      const { y, height, lane } = rows[api.value(2)];
      const box = lane.boxes[api.value(3)];
      return draw(params.coordSys, api, y, height, style(lane, box));
    },
  };
}

// Compute, over the whole lane of lost time of each GPU: the boxes of lost time are drawn on top of it.
export function computeSeries(rows, length) {
  return {
    ...COMMON,
    id: "compute",
    silent: true,
    data: rows.flatMap(({ lane }, row) => (lane.track === "lost" ? [[0, length, row]] : [])),
    renderItem: (params, api) => {
      const { y, height } = rows[api.value(2)];
      return draw(params.coordSys, api, y, height, { fill: cssVariable("--compute") });
    },
  };
}

// A rectangle from the first value of an item to its second, with as much of its text as fits.
function draw(area, api, y, height, { fill, text, textColor, opacity = 1, inset = 0, thinnest = 0 }) {
  const left = api.coord([api.value(0), 0])[0];
  const right = api.coord([api.value(1), 0])[0];
  const x = Math.max(area.x, left);
  const width = Math.min(area.x + area.width, Math.max(right, left + thinnest)) - x;
  if (width <= 0) return null;
  const shape = { x, y: area.y + y + inset, width, height: height - 2 * inset };
  const box = {
    type: "rect",
    shape,
    style: { fill, opacity },
    emphasis: { style: { stroke: cssVariable("--ink"), lineWidth: 1 } },
  };
  const room = Math.floor((width - 8) / CHARACTER);
  if (!text || room < Math.min(text.length, FEWEST)) return box;
  const label = {
    type: "text",
    silent: true,
    style: {
      x: x + 4,
      y: shape.y + shape.height / 2,
      text: text.length <= room ? text : `${text.slice(0, room - 1)}…`,
      fill: textColor,
      fontSize: 11,
      fontFamily: font(),
      verticalAlign: "middle",
    },
  };
  return { type: "group", children: [box, label] };
}

// A function from a box to how it is drawn. Colors are looked up once: a timeline may have many thousand boxes.
function styler(selectedCause) {
  const known = new Map();
  const remember = (name, look) => {
    if (!known.has(name)) known.set(name, look(name));
    return known.get(name);
  };
  const variable = (name) => remember(name, cssVariable);
  const ink = cssVariable("--ink");
  return (lane, { details: { kind, name }, start, end, busy, times }) => {
    if (lane.track === "lost") {
      const faded = selectedCause !== null && selectedCause !== kind;
      const fill = faded ? variable("--faded") : remember(kind, causeHex);
      return {
        fill,
        text: kind,
        textColor: faded ? variable("--quiet") : textOn(fill),
        opacity: busy / Math.max(1, end - start),
      };
    }
    if (lane.track === "stream") {
      return { fill: variable(ACTIVITIES[kind]), text: name, textColor: ink, opacity: times > 1 ? 0.75 : 1, inset: 1 };
    }
    if (lane.track === "range") {
      return { fill: variable("--range"), text: name, textColor: ink, thinnest: THINNEST, inset: 0.5 };
    }
    if (lane.track === "line") return { fill: variable("--range"), text: name, textColor: ink, thinnest: THINNEST };
    if (kind === "launch") return { fill: variable("--running"), thinnest: THINNEST, inset: 4 };
    return { fill: variable("--blocked"), text: kind, textColor: "#000000", thinnest: THINNEST, inset: 1 };
  };
}
