// A part of the page with its title.
import { el } from "./dom.js";

export function section(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), children);
}

// One that lists sentences; none where there are none.
export function facts(id, title, items) {
  return items.length ? section(id, title, el("ul", { class: "facts" }, items.map((item) => el("li", {}, item)))) : null;
}
