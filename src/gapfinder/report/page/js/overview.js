// The strip above the tracks: lost time over all that was recorded, by cause, with the regimes. A brush on it zooms the timeline.
import { el } from "./dom.js";
import { causeHex, cssVariable } from "./theme.js";
import { firstAfter, timeline, visibleBoxes } from "./timeline_data.js";

const STRIP = 34; // pixels for the lost time of a trace
const NAMES = 15; // pixels for the names of the regimes
const EDGE = 6; // pixels beside an edge of the brush at which it can be taken
const CHARACTER = 6.2;
const FEW = 2; // traces with a strip each; of more, the strip is their mean

const strips = () =>
  timeline.parts.length > FEW
    ? [timeline.tracks]
    : timeline.parts.map((_, part) => timeline.tracks.filter((track) => track.part === part));

export function overviewHeight() {
  return NAMES + STRIP * strips().length;
}

// A canvas that shows and moves a view.
export function overview(view, canvas) {
  const xOf = (time, width) => ((time - view.first) / (view.last - view.first)) * width;
  const timeAt = (event) => {
    const area = canvas.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - area.left) / area.width));
    return view.first + share * (view.last - view.first);
  };
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const time = timeAt(event);
    const edge = (EDGE / canvas.clientWidth) * (view.last - view.first);
    const fixed = Math.abs(time - view.from) < edge ? view.to : Math.abs(time - view.to) < edge ? view.from : null;
    const inside = time > view.from && time < view.to && !view.isWhole();
    drag = { start: fixed ?? time, moves: fixed === null && inside, last: time, isDrag: fixed !== null };
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    const time = timeAt(event);
    drag.isDrag ||= Math.abs(xOf(time, canvas.clientWidth) - xOf(drag.start, canvas.clientWidth)) > 3;
    if (!drag.isDrag) return;
    if (drag.moves) view.show(view.from + time - drag.last, view.to - view.from);
    else view.show(Math.min(time, drag.start), Math.abs(time - drag.start));
    drag.last = time;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.isDrag) {
      const width = view.isWhole() ? (view.last - view.first) / 20 : view.to - view.from;
      view.show(timeAt(event) - width / 2, width);
    }
    drag = null;
  });
  let shares = null;
  const draw = (context, width) => {
    if (shares?.width !== width) shares = { width, all: strips().map((tracks) => lostShares(tracks, view, width)) };
    drawRegimes(context, view, width);
    for (const [index, byCause] of shares.all.entries()) drawStrip(context, byCause, NAMES + index * STRIP, width);
    drawBrush(context, xOf(view.from, width), xOf(view.to, width), width, overviewHeight());
  };
  return draw;
}

// Of each pixel, the share of its time that each cause costs, as the mean of the GPUs: Map of arrays.
function lostShares(tracks, view, width) {
  const byCause = new Map();
  const lost = tracks.filter(({ shows }) => shows === "lost");
  const nsPerPixel = (view.last - view.first) / width;
  for (const track of lost) {
    for (const [, , boxes] of visibleBoxes(track, view.first, view.last, nsPerPixel)) {
      for (let index = firstAfter(boxes, view.first); index < boxes.count; index++) {
        const { kind } = timeline.details[boxes.detail[index]];
        if (!byCause.has(kind)) byCause.set(kind, new Float64Array(width));
        const shares = byCause.get(kind);
        const start = boxes.start[index] - view.first;
        const end = boxes.end[index] - view.first;
        const density = boxes.busy[index] / Math.max(1, end - start) / lost.length;
        for (let pixel = Math.floor(start / nsPerPixel); pixel < width && pixel * nsPerPixel < end; pixel++) {
          const overlap = Math.min(end, (pixel + 1) * nsPerPixel) - Math.max(start, pixel * nsPerPixel);
          shares[pixel] += (overlap / nsPerPixel) * density;
        }
      }
    }
  }
  const total = (shares) => shares.reduce((sum, share) => sum + share, 0);
  return [...byCause].sort((one, other) => total(other[1]) - total(one[1]));
}

function drawStrip(context, byCause, top, width) {
  context.fillStyle = cssVariable("--wash");
  context.fillRect(0, top, width, STRIP - 2);
  const levels = new Float64Array(width);
  for (const [cause, shares] of byCause) {
    context.fillStyle = causeHex(cause);
    for (let pixel = 0; pixel < width; pixel++) {
      const height = shares[pixel] * (STRIP - 2);
      if (height < 0.2) continue;
      // boxes that stand for several are as long as these, so that their sum may be more than the pixel
      const room = Math.min(height, STRIP - 2 - levels[pixel]);
      levels[pixel] += room;
      context.fillRect(pixel, top + STRIP - 2 - levels[pixel], 1, room);
    }
  }
}

function drawRegimes(context, view, width) {
  const { regimes, label } = timeline.parts[0];
  if (label !== null) return; // of two traces, each has its own
  context.textBaseline = "middle";
  for (const [index, [kind, start, end]] of regimes.entries()) {
    const left = ((start - view.first) / (view.last - view.first)) * width;
    const right = ((end - view.first) / (view.last - view.first)) * width;
    context.fillStyle = cssVariable(index % 2 ? "--faded" : "--wash");
    context.fillRect(left, 0, Math.max(1, right - left - 1), NAMES - 2);
    if (right - left < kind.length * CHARACTER + 8) continue;
    context.fillStyle = cssVariable("--quiet");
    context.fillText(kind, left + 4, NAMES / 2);
  }
}

function drawBrush(context, from, to, width, height) {
  context.fillStyle = cssVariable("--paper");
  context.globalAlpha = 0.5;
  context.fillRect(0, NAMES, from, height - NAMES);
  context.fillRect(to, NAMES, width - to, height - NAMES);
  context.globalAlpha = 1;
  context.strokeStyle = cssVariable("--ink");
  context.lineWidth = 1.5;
  context.strokeRect(
    Math.max(0.75, from),
    NAMES,
    Math.max(2, Math.min(width - 0.75, to) - Math.max(0.75, from)),
    height - NAMES - 1,
  );
}

// Buttons that lead to each regime, where there are several.
export function regimeButtons(view) {
  if (timeline.parts.length > 1) return null;
  const { regimes } = timeline.parts[0];
  if (regimes.length < 2 || regimes.length > 12) return null;
  const buttons = regimes.map(([kind, start, end]) =>
    el("button", { type: "button", onclick: () => view.show(start, end - start) }, kind),
  );
  return el("div", { class: "bar regimes", role: "group", "aria-label": "Show a regime" }, buttons);
}
