// The page of one trace.
import { addressedTime } from "./address.js";
import { causes, orderOfFixes } from "./causes.js";
import { data } from "./data.js";
import { el } from "./dom.js";
import { gapsSection } from "./gaps.js";
import { collectives, ranksSection } from "./job_parts.js";
import { ledger, meanStep } from "./ledger.js";
import { unit } from "./means.js";
import { headline, listSection, section, showPage } from "./parts.js";
import { fromAddress, selection } from "./selection.js";
import { slowest, stepsSection, typical } from "./steps.js";
import { loadTimeline } from "./timeline_data.js";
import { timelineSection } from "./trace_timeline.js";
import { count } from "./units.js";
import { waitingSection } from "./waiting.js";
import { explained } from "./words.js";
import { gpuWork } from "./work.js";

const { diagnosis } = data;
const { number: numbers, length_ns: lengths } = data.steps;
const STANDS_OUT = 1.5; // times the typical step

// Where the address asks for no step, the typical one; the slowest where it stands out.
const first = lengths[slowest] > STANDS_OUT * lengths[typical] ? slowest : typical;
Object.assign(selection, { step: numbers[first] }, fromAddress());

loadTimeline().then(show);

function show() {
  const [steps, drawSteps] = stepsSection();
  const [timeline, drawTimeline] = timelineSection();
  const gaps = gapsSection();
  const [ranks, drawRanks] = acrossRanks();
  showPage({
    subject: data.subject,
    parts: [
      headline("h1", diagnosis.verdict),
      diagnosis.why_first && el("p", { id: "why-first" }, diagnosis.why_first),
      data.requests.length > 0 &&
        el(
          "ul",
          { id: "requests", class: "facts" },
          data.requests.map((sentence) => el("li", {}, explained(sentence))),
        ),
      meanStep(),
      el(
        "section",
        { class: "answer", "aria-label": "The ledger, and what to change" },
        el("div", {}, ledger(), orderOfFixes()),
        causes(),
      ),
      timeline,
      gaps,
      steps,
      ranks,
      gpuWork(),
      listSection("notes", "What this trace cannot tell", diagnosis.notes),
    ],
    draw: [drawSteps, drawTimeline, drawRanks],
    footer:
      `Made by gapfinder ${data.version}. On every GPU, compute and the lost time of all causes add up to the window, to the nanosecond.` +
      (numbers.length > 1 ? ` This page holds the ledger of ${count(numbers.length, unit)}.` : ""),
  });

  // A link leads to the timeline, whether it was opened with the page or clicked in it.
  if (fromAddress().step !== undefined || addressedTime()) timeline.scrollIntoView({ block: "start" });
  addEventListener("hashchange", () => timeline.scrollIntoView({ block: "nearest" }));
}

// The job of a trace that holds several ranks.
function acrossRanks() {
  if (!data.job) return [null, () => {}];
  const [bars, drawBars] = ranksSection();
  const [waiting, drawWaiting] = waitingSection();
  const parts = [bars, waiting, collectives()];
  return [
    section("across", "Across the ranks", ...parts),
    () => {
      drawBars();
      drawWaiting();
    },
  ];
}
