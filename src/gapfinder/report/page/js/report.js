// The page of one trace.
import { change, collectives, ranks } from "./across.js";
import { causes, orderOfFixes } from "./causes.js";
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { meanBar, subject } from "./head.js";
import { ledger } from "./ledger.js";
import { places } from "./places.js";
import { section } from "./section.js";
import { asked, select, selection } from "./selection.js";
import { slowest, steps, typical } from "./steps.js";
import { knowCauses } from "./theme.js";
import { shown } from "./timelines.js";
import { count } from "./units.js";
import { sentence } from "./verdict.js";
import { view } from "./view.js";
import { waiting } from "./waiting.js";
import { cannotTell, work } from "./work.js";

const known = [data.diagnosis.causes, data.job?.causes ?? []].flat().map(({ cause }) => cause);
knowCauses([...new Set(known)].filter((cause) => cause !== "compute"));

// Where nothing else is asked for, the step that stands for most of them; the slowest where it stands out.
const { number: numbers, length_ns: lengths } = data.steps;
const usual = lengths[slowest] > 1.5 * lengths[typical] ? slowest : typical;
Object.assign(selection, { step: numbers[usual] }, asked());

document.getElementById("subject").textContent = subject();
const [bars, drawBars] = steps();
const [timeline, drawTimeline] = view();
const [together, drawTogether] = acrossRanks();
replace(
  document.getElementById("page"),
  sentence("h1", data.diagnosis.verdict),
  meanBar(),
  el("section", { class: "answer", "aria-label": "The ledger, and what to change" }, el("div", {}, ledger(), orderOfFixes()), causes()),
  bars,
  timeline,
  places(),
  together,
  work(),
  cannotTell(),
);
drawBars();
drawTimeline();
drawTogether();

// A link leads to the timeline, from outside of the page as from inside.
if (asked().step !== undefined) timeline.scrollIntoView({ block: "start" });
addEventListener("hashchange", () => timeline.scrollIntoView({ block: "nearest" }));

document.getElementById("made").textContent =
  `Made by gapfinder ${data.version}. On every GPU, compute and the lost time of all causes add up to the window, to the nanosecond. ` +
  `This page holds the ledger of ${count(numbers.length, "step")} and the timelines of ${shown.length}.`;

// The job of a trace with several ranks.
function acrossRanks() {
  if (!data.job) return [null, () => {}];
  const [ofRanks, drawRanks] = ranks();
  const [late, drawLate] = waiting();
  const found = section("across", "Across the ranks", sentence("p", data.job.verdict), change("What to change"), ofRanks, late, collectives());
  return [found, () => [drawRanks, drawLate].forEach((draw) => draw())];
}
