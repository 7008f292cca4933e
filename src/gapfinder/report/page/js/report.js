// The page of one trace.
import { causes, orderOfFixes } from "./causes.js";
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { headline, meanBar, subject } from "./head.js";
import { ledger } from "./ledger.js";
import { places } from "./places.js";
import { asked, select, selection } from "./selection.js";
import { slowest, steps, typical } from "./steps.js";
import { knowCauses } from "./theme.js";
import { shown } from "./timelines.js";
import { count } from "./units.js";
import { view } from "./view.js";
import { cannotTell, work } from "./work.js";

knowCauses(data.diagnosis.causes.map(({ cause }) => cause));

// Where nothing else is asked for, the step that stands for most of them; the slowest where it stands out.
const { number: numbers, length_ns: lengths } = data.steps;
const usual = lengths[slowest] > 1.5 * lengths[typical] ? slowest : typical;
Object.assign(selection, { step: numbers[usual] }, asked());

document.getElementById("subject").textContent = subject();
const [bars, drawBars] = steps();
const [timeline, drawTimeline] = view();
replace(
  document.getElementById("page"),
  headline(),
  meanBar(),
  el("section", { class: "answer", "aria-label": "The ledger, and what to change" }, el("div", {}, ledger(), orderOfFixes()), causes()),
  bars,
  timeline,
  places(),
  work(),
  cannotTell(),
);
drawBars();
drawTimeline();

// A link leads to the timeline, from outside of the page as from inside.
if (asked().step !== undefined) timeline.scrollIntoView({ block: "start" });
addEventListener("hashchange", () => timeline.scrollIntoView({ block: "nearest" }));

document.getElementById("made").textContent =
  `Made by gapfinder ${data.version}. On every GPU, compute and the lost time of all causes add up to the window, to the nanosecond. ` +
  `This page holds the ledger of ${count(numbers.length, "step")} and the timelines of ${shown.length}.`;
