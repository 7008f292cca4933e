// The page of a job that has several traces.
import { data } from "./data.js";
import { el } from "./dom.js";
import { collectives, jobLedger, meanStep, ranksSection, whatToChange } from "./job_parts.js";
import { headline, listSection, section, showPage } from "./parts.js";
import { waitingSection } from "./waiting.js";

const [ranks, drawRanks] = ranksSection();
const [waiting, drawWaiting] = waitingSection();
showPage({
  subject: data.job.subject,
  parts: [
    headline("h1", data.job.verdict),
    data.job.why_first && el("p", { id: "why-first" }, data.job.why_first),
    meanStep(),
    el("section", { class: "answer", "aria-label": "The ledger, and what to change" }, jobLedger(), whatToChange()),
    ranks,
    waiting,
    collectives(),
    section(
      "alone",
      "Timelines",
      el("p", {}, "The page of each trace has them: lost time, streams, threads, lines of code."),
      el("pre", {}, el("code", {}, data.commands.join("\n"))),
    ),
    listSection("notes", "What these traces cannot tell", data.notes),
  ],
  draw: [drawRanks, drawWaiting],
  footer: `Made by gapfinder ${data.version}. On every rank, compute and the lost time of all causes add up to the window of the job, to the nanosecond.`,
});
