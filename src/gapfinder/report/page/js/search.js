// Finds kernels, ranges, lines of code and native functions by name. What is found stands out on the timeline; Enter leads from one to the next.
import { el, replace } from "./dom.js";
import { boxesAt, timeline } from "./timeline_data.js";
import { count, duration } from "./units.js";

const LISTED = 12;
const SEARCHED = ["stream", "range", "line", "native", "thread", "state"];

// `onFound(set, message)` gets the indices of the details that match, or null; `onGo(track, boxes, index)` leads to one.
export function search({ onFound, onGo }) {
  const input = el("input", {
    type: "search",
    id: "search",
    placeholder: "Search  /",
    "aria-label": "Search kernels, ranges, lines and functions",
    autocomplete: "off",
    spellcheck: "false",
  });
  const said = el("span", { class: "quiet", id: "found", role: "status" });
  const list = el("ul", { class: "facts", id: "matches" });
  let hits = [];
  let at = -1;
  const clear = () => {
    input.value = "";
    run();
  };
  const run = () => {
    const wanted = input.value.trim().toLowerCase();
    const found = wanted ? matching(wanted) : null;
    hits = found ? occurrences(found) : [];
    at = -1;
    onFound(found);
    replace(said, found ? (hits.length ? `${count(hits.length, "place")}. Enter: the next one` : "not found") : null);
    replace(list, found && found.size > 1 ? summaries(hits).map(summaryLine) : null);
  };
  const go = (direction) => {
    if (!hits.length) return;
    at = (at + direction + hits.length) % hits.length;
    replace(said, `${at + 1} of ${count(hits.length, "place")}`);
    onGo(hits[at]);
  };
  const summaryLine = ([name, { times, busy }]) => {
    const onclick = () => {
      input.value = name;
      run();
      go(1);
    };
    return el(
      "li",
      {},
      el("button", { type: "button", class: "cause", onclick }, name),
      ` ${count(times, "time")}, ${duration(busy)}`,
    );
  };
  input.addEventListener("input", run);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      go(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      clear();
      input.blur();
    }
  });
  return { input, said, list, clear, isActive: () => input.value !== "" };
}

function matching(wanted) {
  const found = new Set();
  timeline.details.forEach(({ name }, index) => {
    if (name?.toLowerCase().includes(wanted)) found.add(index);
  });
  return found;
}

// Every box with these details, at the finest level that the page has, in order of time.
function occurrences(found) {
  const hits = [];
  for (const track of timeline.tracks) {
    if (!SEARCHED.includes(track.shows)) continue;
    const { levels, whole } = timeline.parts[track.part];
    const fine = boxesAt(track, 0);
    for (let index = 0; index < fine.count; index++) {
      if (found.has(fine.detail[index])) hits.push({ track, boxes: fine, index, start: fine.start[index] });
    }
    const coarse = boxesAt(track, levels[0]);
    for (let index = 0; index < coarse.count; index++) {
      if (!found.has(coarse.detail[index]) || whole.some(([from, to]) => coarse.start[index] < to && coarse.end[index] > from))
        continue;
      hits.push({ track, boxes: coarse, index, start: coarse.start[index] });
    }
  }
  return hits.sort((one, other) => one.start - other.start);
}

// How often each name was found, and for how long, most time first.
function summaries(hits) {
  const byName = new Map();
  for (const { boxes, index } of hits) {
    const { name } = timeline.details[boxes.detail[index]];
    const sum = byName.get(name) ?? { times: 0, busy: 0 };
    byName.set(name, { times: sum.times + boxes.times[index], busy: sum.busy + boxes.busy[index] });
  }
  return [...byName].sort((one, other) => other[1].busy - one[1].busy).slice(0, LISTED);
}
