// Draws the boxes of a timeline. At most a few for each pixel are drawn, whatever the trace holds.
import { causeHex, cssVariable, nameHex, onTheme, textOn } from "./theme.js";
import { firstAfter, timeline, visibleBoxes } from "./timeline_data.js";

const ACTIVITIES = new Map([
  ["compute", "--activity-compute"],
  ["copy", "--activity-copy"],
  ["communication", "--activity-communication"],
]);
const CHARACTER = 6.2; // pixels, about, in 11px type
const FEWEST = 5; // characters: no name is cut to fewer
const THINNEST = 0.7; // pixels: what a thread did is drawn at least so wide
const LEAST_FOR_TEXT = 11; // pixels of height

// `look` is {cause, byName, found}: the cause that is shown alone, whether activities are colored by name, and the indices of the
// details that a search has found (null without a search). Returns the number of rectangles.
export function drawBoxes(context, rows, view, width, look) {
  const nsPerPixel = (view.to - view.from) / width;
  const style = styler(look);
  const texts = [];
  let rectangles = 0;
  for (const row of rows) {
    if (row.shows === "lost") rectangles += drawCompute(context, row, view, nsPerPixel);
    for (const track of row.tracks) {
      for (const [from, to, boxes] of visibleBoxes(track, view.from, view.to, nsPerPixel)) {
        rectangles += drawPiece(context, { row, track, boxes, from, to, view, nsPerPixel, width }, style, texts);
      }
    }
  }
  drawTexts(context, texts);
  return rectangles;
}

// Compute, over the whole row of lost time: the boxes of lost time are drawn on top of it.
function drawCompute(context, { part, y, height }, view, nsPerPixel) {
  const { from, to } = timeline.parts[part];
  const left = (Math.max(from, view.from) - view.from) / nsPerPixel;
  const right = (Math.min(to, view.to) - view.from) / nsPerPixel;
  if (right <= left) return 0;
  context.globalAlpha = 1;
  context.fillStyle = cssVariable("--compute");
  context.fillRect(left, y, right - left, height);
  return 1;
}

function drawPiece(context, { row, track, boxes, from, to, view, nsPerPixel, width }, style, texts) {
  const { start, end, detail, times, busy, count } = boxes;
  let rectangles = 0;
  let covered = Number.NEGATIVE_INFINITY; // pixels that are full of the same look already
  let lastLook = null;
  for (let index = firstAfter(boxes, from); index < count && start[index] < to; index++) {
    const left = (Math.max(start[index], from) - view.from) / nsPerPixel;
    const right = (Math.min(end[index], to) - view.from) / nsPerPixel;
    const look = style(track, detail[index], times[index]);
    const thin = Math.max(right, left + look.thinnest);
    if (thin <= covered && look === lastLook && times[index] === 1) continue;
    const opacity = look.faded ?? (track.shows === "lost" ? busy[index] / Math.max(1, end[index] - start[index]) : 1);
    context.globalAlpha = times[index] > 1 && track.shows !== "lost" ? 0.75 * opacity : opacity;
    context.fillStyle = look.fill;
    context.fillRect(left, row.y + look.inset, thin - left, row.height - 2 * look.inset);
    rectangles++;
    lastLook = look;
    // what is left of a pixel is not worth another rectangle of the same color
    covered = opacity === 1 ? Math.ceil(thin * 2) / 2 : Number.NEGATIVE_INFINITY;
    const room = Math.floor((Math.min(right, width) - Math.max(left, 0) - 8) / CHARACTER);
    if (look.text && row.height >= LEAST_FOR_TEXT && room >= Math.min(look.text.length, FEWEST)) {
      const text = look.text.length <= room ? look.text : `${look.text.slice(0, room - 1)}…`;
      texts.push([text, Math.max(left, 0) + 4, row.y + row.height / 2, look.textColor]);
    }
  }
  return rectangles;
}

// Of texts that would lie over each other, as a call's and that of the wait in it, the one on top is drawn.
function drawTexts(context, texts) {
  const taken = new Map();
  context.globalAlpha = 1;
  context.textBaseline = "middle";
  for (const [text, x, y, color] of texts.toReversed()) {
    const until = x + text.length * CHARACTER;
    const inRow = taken.get(y) ?? [];
    if (inRow.some(([from, to]) => x < to && from < until)) continue;
    taken.set(y, [...inRow, [x, until]]);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }
}

let looks = new Map();
let wanted = {};
onTheme(() => {
  looks = new Map();
});

// A function from a box to how it is drawn. Looks are made once: a timeline has many thousand boxes.
function styler(look) {
  if (["cause", "byName", "found"].some((key) => look[key] !== wanted[key])) looks = new Map();
  wanted = look;
  return ({ shows }, detail, times) => {
    const key = `${shows}${times > 1}`;
    if (!looks.has(key)) looks.set(key, []);
    const known = looks.get(key);
    known[detail] ??= makeLook(shows, detail, times, look);
    return known[detail];
  };
}

function makeLook(shows, detail, times, { cause, byName, found }) {
  const { kind, name } = timeline.details[detail];
  const faded = found && !found.has(detail) ? 0.25 : undefined;
  const ink = cssVariable("--ink");
  if (shows === "lost") {
    const isOther = cause !== null && cause !== kind;
    const fill = isOther ? cssVariable("--faded") : causeHex(kind);
    return { fill, text: kind, textColor: isOther ? cssVariable("--quiet") : textOn(fill), inset: 0, thinnest: 0, faded };
  }
  if (shows === "stream") {
    const fill = byName && name ? nameHex(name) : cssVariable(ACTIVITIES.get(kind) ?? "--activity-compute");
    return { fill, text: times > 1 ? "" : name, textColor: textOn(fill), inset: 0.5, thinnest: 0, faded };
  }
  if (["range", "line", "native"].includes(shows)) {
    return { fill: cssVariable("--range"), text: name, textColor: ink, inset: 0.5, thinnest: THINNEST, faded };
  }
  if (shows === "launch") {
    return { fill: cssVariable("--running"), text: name, textColor: ink, inset: 2, thinnest: THINNEST, faded };
  }
  const fill = cssVariable("--blocked");
  return { fill, text: kind, textColor: textOn(fill), inset: 0.5, thinnest: THINNEST, faded };
}
