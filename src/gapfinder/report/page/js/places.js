// The gap that is chosen, told in full, and the longest gaps of the step as a table.
import { data } from "./data.js";
import { el, replace, table } from "./dom.js";
import { onSelection, selection } from "./selection.js";
import { swatch } from "./theme.js";
import { place, timeline } from "./timelines.js";
import { DOING } from "./tips.js";
import { duration } from "./units.js";

const LISTED = 8;
const SLICES = 12;

export function places() {
  const chosen = el("div", { class: "place", id: "gap", role: "status" });
  const list = el("div", { id: "gaps" });
  const show = () => {
    replace(chosen, selection.gap ? told(selection.step, selection.gap) : null);
    replace(list, longest());
  };
  onSelection(show);
  show();
  return el("section", { "aria-label": "Longest gaps" }, chosen, list);
}

function told(step, number) {
  const found = place(step, number);
  if (!found) return el("p", {}, `Step ${step} has no gap ${number} in this page.`);
  const on = data.diagnosis.devices.length > 1 ? ` on GPU ${found.gpu}` : "";
  const slices = [...found.slices].sort((one, other) => other.busy - one.busy).slice(0, SLICES).sort((one, other) => one.start - other.start);
  const more = found.slices.length - slices.length;
  return [
    el("h3", {}, `${found.gap ? "Gap" : "Exposed op"} ${number} of step ${step}: ${duration(found.lost_ns)}${on}, ${duration(found.start_ns)} into the step`),
    el("p", {}, between(found)),
    slices.length > 0 &&
      el(
        "div",
        { class: "scroll" },
        table({
          columns: [{ head: "lost to" }, { head: "for" }, { head: "what the thread did meanwhile", class: "text" }, { head: "in", class: "text" }, { head: "NVTX", class: "text" }, { head: "line", class: "text" }],
          rows: slices.map((slice) => [
            [swatch(slice.told.kind), slice.told.kind],
            duration(slice.busy),
            `${slice.told.thread ?? "The submitter"} ${DOING[slice.told.state] ?? slice.told.state}`,
            slice.told.call ?? "",
            slice.told.nvtx ?? "",
            lines(step, slice),
          ]),
        }),
      ),
    more > 0 && el("p", { class: "quiet" }, `and ${more} shorter slices`),
  ];
}

function between({ gap, before, after, thread, launched_ns: launched, start_ns: start, end_ns: end }) {
  if (!gap) return `Only ${after} ran.`;
  const from = before ? `From the end of ${before}` : "From the start of the window";
  const until = after ? `to the start of ${after}` : "to its end";
  if (launched === undefined) return `${from} ${until}.`;
  const when = launched < start ? `${duration(start - launched)} before the gap began` : `${duration(end - launched)} before it started`;
  return `${from} ${until}, which ${thread ?? "a thread"} launched ${when}.`;
}

// The lines that Python samples saw on the slice's thread while it lasted.
function lines(step, slice) {
  const lane = timeline(step).lanes.find(({ track, thread }) => track === "line" && thread === slice.told.thread);
  const seen = lane ? lane.boxes.filter((box) => box.start < slice.end && box.end > slice.start) : [];
  return [...new Set(seen.map((box) => box.told.name))].slice(0, 2).join(", ");
}

function longest() {
  const found = timeline(selection.step);
  if (!found) return null;
  const wanted = found.places.filter(({ cause }) => selection.cause === null || cause === selection.cause);
  if (!wanted.length) return el("p", { class: "quiet" }, selection.cause ? `None of this step's ${found.places.length} longest gaps is mostly ${selection.cause}.` : "Nothing is lost in this step.");
  const many = data.diagnosis.devices.length > 1;
  const rows = wanted.map((one) => [
    el("a", { href: link(one.number), "aria-current": one.number === selection.gap && "true" }, `${one.gap ? "gap" : "exposed op"} ${one.number}`),
    duration(one.lost_ns),
    [swatch(one.cause), one.cause],
    ...(many ? [`${one.gpu}`] : []),
    duration(one.start_ns),
    ...(one.gap ? [one.before ?? "", one.after ?? ""] : [`only ${one.after} runs`, ""]),
  ]);
  const columns = [{ head: "place" }, { head: "lost" }, { head: "mostly to", class: "left" }, ...(many ? [{ head: "GPU" }] : []), { head: "into the step" }, { head: "after", class: "name half" }, { head: "before", class: "name half" }];
  const listed = (part, caption) => el("div", { class: "scroll" }, table({ className: "wide", caption, columns, rows: part }));
  const rest = rows.slice(LISTED);
  return [
    listed(rows.slice(0, LISTED), selection.cause ? `The longest gaps of this step that are mostly ${selection.cause}` : "The longest gaps of this step"),
    rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more`), listed(rest)),
  ];
}

function link(number) {
  const cause = selection.cause ? `&cause=${selection.cause}` : "";
  return `#step=${selection.step}&gap=${number}${cause}`;
}
