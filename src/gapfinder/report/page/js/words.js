// Links from the words of a page into the glossary that it holds.
import { el } from "./dom.js";

const glossary = document.getElementById("glossary");
const terms = new Map([...glossary.querySelectorAll("dt")].map((term) => [term.textContent, term]));
// Words that every reader of a page knows, or that are most often meant otherwise.
const PLAIN = new Set([
  "step",
  "launch",
  "rank",
  "kernel",
  "job",
  "cause",
  "state",
  "rule",
  "request",
  "token",
  "phase",
  "priority",
  "basis",
]);

// A text in which the first use of each word of the glossary is a link to what it means, and what stands in backticks is code.
export function explained(text) {
  return text.split(/`([^`]+)`/).flatMap((piece, index) => (index % 2 ? el("code", {}, piece) : withLinks(piece)));
}

function withLinks(text) {
  const names = [...terms.keys()]
    .filter((name) => !PLAIN.has(name) && !name.startsWith("state "))
    .sort((one, other) => other.length - one.length);
  const pieces = text.split(new RegExp(`(?<![\\w-])((?:${names.join("|")})s?)(?![\\w-])`, "i"));
  const used = new Set();
  return pieces.map((piece, index) => {
    if (index % 2 === 0) return piece;
    const name = terms.has(piece.toLowerCase()) ? piece.toLowerCase() : piece.toLowerCase().replace(/s$/, "");
    if (used.has(name)) return piece;
    used.add(name);
    return wordLink(piece, name);
  });
}

function wordLink(text, name) {
  const term = terms.get(name);
  const onclick = (event) => {
    event.preventDefault();
    glossary.open = true;
    term.scrollIntoView({ block: "center" });
    term.focus();
  };
  return el("a", { class: "word", href: `#${term.id}`, title: term.nextElementSibling.textContent, onclick }, text);
}
