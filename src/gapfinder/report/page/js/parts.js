// What every page is made of: sections, the headline, and the frame around them.
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { followLinks } from "./guides.js";
import { causeColor } from "./theme.js";
import { explained } from "./words.js";

// A part of the page with a title.
export function section(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

// A section that lists sentences; null where there are none.
export function listSection(id, title, sentences) {
  if (!sentences.length) return null;
  return section(
    id,
    title,
    el(
      "ul",
      { class: "facts" },
      sentences.map((sentence) => el("li", {}, explained(sentence))),
    ),
  );
}

// The headline of a verdict, with its cause underlined in the color of the cause.
export function headline(tag, { cause, headline: text }) {
  const start = text.indexOf(cause);
  if (start < 0) return el(tag, {}, text);
  return el(tag, {}, text.slice(0, start), el("mark", { color: causeColor(cause) }, cause), text.slice(start + cause.length));
}

// A sentence with each cause in it underlined in its color.
export function withCauses(text) {
  const names = data.theme.causes.map(({ id }) => id).sort((one, other) => other.length - one.length);
  const known = names.map((name) => name.replace(/[^\w]/g, "\\$&")).join("|");
  const pieces = text.split(new RegExp(`(?<!\\w)(${known})(?!\\w)`));
  return pieces.map((piece) => (names.includes(piece) ? el("mark", { color: causeColor(piece) }, piece) : piece));
}

// Fills the page. `draw` are functions that draw charts: a chart needs the size of its element, so it is drawn on the filled page.
export function showPage({ subject, parts, draw, footer }) {
  replace(document.getElementById("subject"), subject);
  replace(document.getElementById("page"), parts);
  for (const chart of draw) chart();
  makeReachable();
  new ResizeObserver(makeReachable).observe(document.body);
  addEventListener("toggle", makeReachable, { capture: true });
  followLinks();
  document.getElementById("made").textContent = footer;
}

// What has more than it shows is reached by the Tab key, and then scrolled by the arrows.
function makeReachable() {
  for (const area of document.querySelectorAll(".scroll, pre")) {
    const scrolls = area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight;
    if (scrolls) area.setAttribute("tabindex", "0");
    else area.removeAttribute("tabindex");
  }
}
