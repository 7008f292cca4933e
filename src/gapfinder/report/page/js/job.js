// The page of a job that has several traces.
import { data } from "./data.js";
import { el } from "./dom.js";
import { collectives, jobLedger, meanStep, ranksSection, whatToChange } from "./job_parts.js";
import { headline, listSection, section, showPage } from "./parts.js";
import { loadTimeline } from "./timeline_data.js";
import { tracesTimeline } from "./traces_timeline.js";
import { waitingSection } from "./waiting.js";

const ABOUT =
  "All on the clock of the first rank, and lost to the causes of the job's ledger. A flag marks a rank that comes late to a collective.";

loadTimeline().then(show);

function show() {
  const [timeline, drawTimeline] = tracesTimeline("Timeline of the ranks", ABOUT);
  const [ranks, drawRanks] = ranksSection();
  const [waiting, drawWaiting] = waitingSection();
  showPage({
    subject: data.job.subject,
    parts: [
      headline("h1", data.job.verdict),
      data.job.why_first && el("p", { id: "why-first" }, data.job.why_first),
      meanStep(),
      el("section", { class: "answer", "aria-label": "The ledger, and what to change" }, jobLedger(), whatToChange()),
      timeline,
      ranks,
      waiting,
      collectives(),
      section(
        "alone",
        "Each rank by itself",
        el("p", {}, "The page of a single trace has its own ledger, its steps and its longest gaps:"),
        el("pre", {}, el("code", {}, data.commands.join("\n"))),
      ),
      listSection("notes", "What these traces cannot tell", data.notes),
    ],
    draw: [drawTimeline, drawRanks, drawWaiting],
    footer: `Made by gapfinder ${data.version}. On every rank, compute and the lost time of all causes add up to the window of the job, to the nanosecond.`,
  });
}
