// What to change about a cause: its fix, what that wins, and the evidence.
import { el } from "./dom.js";
import { causeColor } from "./theme.js";
import { explained } from "./words.js";

// `factText` says one piece of the evidence.
export function advice(cause, { fix, prediction, evidence }, factText) {
  return [
    fix && el("div", { class: "fix", color: causeColor(cause) }, el("p", {}, fix)),
    prediction && el("p", {}, explained(prediction)),
    evidence.length > 0 && el("h3", {}, "Evidence"),
    el(
      "ul",
      { class: "facts" },
      evidence.map((fact) => el("li", {}, factText(fact))),
    ),
  ];
}
