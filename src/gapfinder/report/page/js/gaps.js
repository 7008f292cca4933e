// The selected gap in full, and the longest gaps of the step as a table. Exposed copies and communication are told like gaps.
import { data } from "./data.js";
import { el, replace, table } from "./dom.js";
import { aUnit, isOne, unit } from "./means.js";
import { linesOf, placeOf, placesOf } from "./places.js";
import { onSelection, selection } from "./selection.js";
import { swatch } from "./theme.js";
import { timeline } from "./timeline_data.js";
import { STATES } from "./tips.js";
import { duration } from "./units.js";

const LISTED = 8; // gaps; the rest is folded away
const SEGMENTS = 12; // of a gap, the longest
const LINES = 2; // of code, for a segment
const manyGpus = data.diagnosis.devices.length > 1;

export function gapsSection() {
  const selected = el("div", { class: "place", id: "gap", role: "status" });
  const list = el("div", { id: "gaps" });
  const show = () => {
    replace(selected, selection.gap ? gapInFull(selection.step, selection.gap) : null);
    replace(list, longestGaps());
  };
  onSelection(show);
  show();
  return el("section", { "aria-label": "Longest gaps" }, selected, list);
}

function gapInFull(step, number) {
  const gap = placeOf(step, number);
  if (!gap) return el("p", {}, `There is no gap ${number} of ${unit} ${step} in this page. `, numbered());
  const on = manyGpus ? ` on GPU ${gap.gpu}` : "";
  const title = `${gap.gap ? "Gap" : "Exposed activity"} ${number}${isOne ? "" : ` of ${unit} ${step}`}`;
  const segments = [...gap.segments]
    .sort((one, other) => other.busy - one.busy)
    .slice(0, SEGMENTS)
    .sort((one, other) => one.start - other.start);
  const more = gap.segments.length - segments.length;
  return [
    el("h3", {}, `${title}: ${duration(gap.lost_ns)}${on}, ${duration(gap.start_ns - startOf(step))} into the ${unit}`),
    el("p", {}, fromAndTo(gap)),
    segments.length > 0 && el("div", { class: "scroll" }, segmentTable(segments)),
    more > 0 && el("p", { class: "quiet" }, `and ${more} shorter segments`),
  ];
}

function segmentTable(segments) {
  return table({
    columns: [
      { head: "lost to" },
      { head: "for" },
      { head: "what the thread did", class: "text" },
      { head: "in", class: "text" },
      { head: "NVTX", class: "text" },
      { head: "line", class: "text" },
    ],
    rows: segments.map((segment) => {
      const { kind: cause, thread, state, call, nvtx } = segment.details;
      const did = `${thread ?? "The launching thread"} ${STATES.get(state) ?? state}`;
      return [[swatch(cause), cause], duration(segment.busy), did, call ?? "", nvtx ?? "", codeLines(segment)];
    }),
  });
}

// A gap may begin in the step before, and end in the next one: it is told as a whole.
function fromAndTo({ gap, before, after, thread, launch_ns: launched, gap_start_ns: start, gap_end_ns: end }) {
  if (!gap) return `Only ${after} ran.`;
  const from = before ? `From the end of ${before}` : "From the start of the window";
  const to = after ? `to the start of ${after}` : "to its end";
  if (launched === undefined) return `${from} ${to}.`;
  const when =
    launched < start ? `${duration(start - launched)} before the gap began` : `${duration(end - launched)} before it started`;
  return `${from} ${to}, which ${thread ?? "a thread"} launched ${when}.`;
}

function codeLines({ details: { thread }, start, end }) {
  return linesOf(thread, start, end).slice(0, LINES).join(", ");
}

function startOf(step) {
  return timeline.parts[0].steps.find(([number]) => number === step)[1];
}

function longestGaps() {
  const places = placesOf(selection.step);
  const gaps = places.filter(({ cause }) => selection.cause === null || cause === selection.cause);
  if (!gaps.length) {
    const none = `None of the ${places.length} longest gaps of this ${unit} is mostly ${selection.cause}.`;
    return el("p", { class: "quiet" }, selection.cause ? none : `Nothing is lost in this ${unit}.`);
  }
  const rows = gaps.map(gapRow);
  const ofCause = selection.cause ? ` that are mostly ${selection.cause}` : "";
  const rest = rows.slice(LISTED);
  return [
    gapTable(rows.slice(0, LISTED), `The longest gaps of this ${unit}${ofCause}`),
    rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more`), gapTable(rest)),
    places.length === most() && el("p", { class: "quiet" }, numbered()),
  ];
}

function most() {
  return timeline.parts[0].places_of_a_step;
}

// Which gaps have a number, and how the others are reached.
function numbered() {
  const code = (text) => el("code", {}, text);
  return [
    `The ${most()} longest gaps of ${aUnit} have a number. Of any other, `,
    code("gapfinder gaps"),
    " tells the start and the end in ns: ",
    code("#at=START-END"),
    " leads there.",
  ];
}

function gapTable(rows, caption) {
  const columns = [
    { head: "gap" },
    { head: "lost" },
    { head: "mostly to", class: "left" },
    ...(manyGpus ? [{ head: "GPU" }] : []),
    { head: `into the ${unit}` },
    { head: "before", class: "name half" },
    { head: "after", class: "name half" },
  ];
  return el("div", { class: "scroll" }, table({ className: "wide", caption, columns, rows }));
}

function gapRow({ number, gap, lost_ns: lost, cause, gpu, start_ns: start, before, after }) {
  const isSelected = number === selection.gap;
  const name = `${gap ? "gap" : "activity"} ${number}`;
  return [
    el("a", { href: link(number), "aria-current": isSelected && "true" }, name),
    duration(lost),
    [swatch(cause), cause],
    ...(manyGpus ? [`${gpu}`] : []),
    duration(start - startOf(selection.step)),
    ...(gap ? [whole(before), whole(after)] : [whole(`while ${after} ran`), ""]),
  ];
}

// A name that its cell may cut: whole where the pointer rests, and where it is copied.
function whole(name) {
  return name ? el("span", { title: name }, name) : "";
}

function link(number) {
  const cause = selection.cause ? `&cause=${encodeURIComponent(selection.cause)}` : "";
  return `#step=${selection.step}&gap=${number}${cause}`;
}
