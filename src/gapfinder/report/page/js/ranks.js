// The page of a job that has several traces.
import { change, collectives, ledger, meanBar, ranks } from "./across.js";
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { facts, section } from "./section.js";
import { knowCauses } from "./theme.js";
import { sentence } from "./verdict.js";
import { waiting } from "./waiting.js";

knowCauses(data.job.causes.map(({ cause }) => cause).filter((cause) => cause !== "compute"));

function alone() {
  return section(
    "alone",
    "Timelines",
    el("p", {}, "The page of each trace has them: lost time, streams, threads, lines of code."),
    el("pre", {}, el("code", {}, data.commands.join("\n"))),
  );
}

document.getElementById("subject").textContent = data.job.subject;
const [ofRanks, drawRanks] = ranks();
const [late, drawLate] = waiting();
replace(
  document.getElementById("page"),
  sentence("h1", data.job.verdict),
  meanBar(),
  el("section", { class: "answer", "aria-label": "The ledger, and what to change" }, ledger(), change("What to change")),
  ofRanks,
  late,
  collectives(),
  alone(),
  facts("notes", "What these traces cannot tell", data.notes),
);
drawRanks();
drawLate();
document.getElementById("made").textContent =
  `Made by gapfinder ${data.version}. On every rank, compute and the lost time of all causes add up to the window of the job, to the nanosecond.`;
