// What is drawn on top of the boxes: the selected gap, the measured time, the box under the pointer, the arrow from a launch to its
// activity, and ranks that came late.
import { causeHex, cssVariable } from "./theme.js";
import { box, timeline } from "./timeline_data.js";
import { duration } from "./units.js";

const HEAD = 5; // pixels of an arrow's head

// `shown` is {gap, measured, hovered, picked}. Each may be null. A box comes as {row, box}.
export function drawMarks(context, rows, view, width, height, { gap, measured, hovered, picked }) {
  const scale = width / (view.to - view.from);
  const xOf = (time) => (time - view.from) * scale;
  context.lineWidth = 1;
  drawArrivals(context, rows, view, xOf);
  if (gap) drawGap(context, rows, gap, xOf, height);
  if (measured) {
    context.fillStyle = cssVariable("--accent");
    context.globalAlpha = 0.14;
    context.fillRect(xOf(measured.from), 0, xOf(measured.to) - xOf(measured.from), height);
    context.globalAlpha = 1;
    for (const time of [measured.from, measured.to]) context.fillRect(xOf(time), 0, 1, height);
  }
  for (const target of [picked, hovered]) {
    if (!target) continue;
    frame(context, target, xOf);
    drawArrow(context, rows, target, xOf);
  }
}

function frame(context, { row, box: { start, end } }, xOf) {
  context.strokeStyle = cssVariable("--ink");
  context.lineWidth = 1.5;
  context.strokeRect(xOf(start), row.y, Math.max(1, xOf(end) - xOf(start)), row.height);
  context.lineWidth = 1;
}

function drawGap(context, rows, gap, xOf, height) {
  const gpu = rows.find(({ shows, gpu: number, part }) => shows === "lost" && number === gap.gpu && part === gap.part);
  if (!gpu) return;
  const x = xOf(gap.start_ns);
  const width = Math.max(1, xOf(gap.end_ns) - x);
  context.globalAlpha = 0.13;
  context.fillStyle = causeHex(gap.cause);
  context.fillRect(x, gpu.y, width, height - gpu.y);
  context.globalAlpha = 1;
  context.strokeStyle = cssVariable("--ink");
  context.lineWidth = 1.5;
  context.strokeRect(x, gpu.y, width, gpu.height);
  context.lineWidth = 1;
  const thread = rows.find((row) => row.shows === "thread" && row.thread === gap.thread && row.part === gap.part);
  if (!thread || gap.launch_ns === undefined) return;
  arrow(context, xOf(gap.launch_ns), thread.y + thread.height / 2, xOf(gap.end_ns), gpu.y + gpu.height);
}

// From the launch of an activity to the activity, whichever of the two is pointed at.
function drawArrow(context, rows, { row, box: target }, xOf) {
  const rowOf = (track) => rows.find(({ tracks }) => tracks.includes(track));
  if (target.activity) {
    const { track, index } = target.activity;
    const to = rowOf(track);
    const activity = box(track.decoded.get(0), index);
    if (to) arrow(context, xOf(target.start), row.y + row.height / 2, xOf(activity.start), to.y + to.height);
  } else if (row.shows === "stream" && target.extra && target.times === 1) {
    const from = rows.find(
      ({ shows, part, number }) => shows === "thread" && part === row.part && number === target.launchThread,
    );
    const launch = target.start - target.extra + 1;
    if (from) arrow(context, xOf(launch), from.y + from.height / 2, xOf(target.start), row.y + row.height);
  }
}

function arrow(context, fromX, fromY, toX, toY) {
  const ink = cssVariable("--ink");
  context.strokeStyle = ink;
  context.fillStyle = ink;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
  context.beginPath();
  context.arc(fromX, fromY, 2.5, 0, 2 * Math.PI);
  context.fill();
  const angle = Math.atan2(toY - fromY, toX - fromX);
  context.beginPath();
  for (const turn of [0, 2.6, -2.6]) {
    const back = turn === 0 ? 0 : HEAD * 1.6;
    context.lineTo(toX + back * Math.cos(angle + turn), toY + back * Math.sin(angle + turn));
  }
  context.fill();
}

// Where all ranks but one wait for a collective: from the first that came to the last, with a flag on the last.
function drawArrivals(context, rows, view, xOf) {
  for (const { first_ns: first, last_ns: last, part, gpu } of timeline.arrivals) {
    if (last < view.from || first > view.to || xOf(last) - xOf(first) < 2) continue;
    const streams = rows.filter(({ shows }) => shows === "stream" || shows === "lost");
    const late = rows.find((row) => row.shows === "lost" && row.part === part && row.gpu === gpu);
    if (!late || !streams.length) continue;
    const top = streams[0].y;
    const bottom = streams.at(-1).y + streams.at(-1).height;
    const x = xOf(last);
    context.strokeStyle = cssVariable("--ink");
    context.fillStyle = cssVariable("--ink");
    context.setLineDash([3, 2]);
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x, late.y);
    context.lineTo(x - 7, late.y + 5);
    context.lineTo(x, late.y + 10);
    context.fill();
    const text = `late by ${duration(last - first)}`;
    const width = 6.2 * text.length + 4;
    if (xOf(last) - xOf(first) > width + 8) {
      const left = x - 10 - width < 0 ? x + 6 : x - 10 - width; // beside the flag, on the side where there is room
      context.fillStyle = cssVariable("--paper");
      context.fillRect(left, late.y + 1, width, 14);
      context.fillStyle = cssVariable("--ink");
      context.textBaseline = "top";
      context.fillText(text, left + 2, late.y + 3);
    }
  }
}
