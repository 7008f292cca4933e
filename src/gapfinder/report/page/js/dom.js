// Builds elements. Text from a trace is added as text, never as markup.

// An element. `attributes` may hold event handlers ("onclick") and "color", which sets the CSS variable --color.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "color") element.style.setProperty("--color", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (isPresent(value)) element.setAttribute(name, value);
  }
  element.append(...contents(children, tag));
  return element;
}

// What an element holds. A number and its unit stay on one line: the text is the same, also where it is copied.
const WITH_UNIT = /(\d[\d.,]* (?:(?:ns|us|ms|s|B|kB|KiB|MB|MiB|GB|GiB|x)\b|%))/;
const AS_IT_IS = ["option", "code", "select"];

function contents(children, tag) {
  const present = children.flat(2).filter(isPresent);
  if (AS_IT_IS.includes(tag)) return present;
  return present.flatMap((child) =>
    typeof child === "string" ? child.split(WITH_UNIT).map((text, index) => (index % 2 ? unbroken(text) : text)) : child,
  );
}

function unbroken(text) {
  const span = document.createElement("span");
  span.className = "unbroken";
  span.textContent = text;
  return span;
}

// Replaces what is in an element.
export function replace(element, ...children) {
  element.replaceChildren(...contents(children, element.localName));
}

// A table. Columns are {head, class}. Cells are strings, elements, or lists of them; the first cell is the head of its row.
export function table({ caption, columns, rows, foot, className }) {
  const cell = (content, index) =>
    index === 0
      ? el("th", { scope: "row", class: columns[index].class }, content)
      : el("td", { class: columns[index].class }, content);
  const row = (cells) => (cells instanceof Element ? cells : el("tr", {}, cells.map(cell)));
  return el(
    "table",
    { class: className },
    caption && el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        columns.map(({ head, class: name }) =>
          head ? el("th", { scope: "col", class: name }, head) : el("td", { class: name }),
        ),
      ),
    ),
    el("tbody", {}, rows.map(row)),
    foot && el("tfoot", {}, row(foot)),
  );
}

// A table that is folded away, and built when it is unfolded. `makeTable` returns one or several tables.
export function foldedTable(summary, makeTable, className = "scroll tall") {
  const details = el("details", {}, el("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector("table")) details.append(el("div", { class: className }, makeTable()));
  });
  return details;
}

// The cell of a table with a bar as long as a share of the cell.
export function shareBar(share, color) {
  const bar = el("i", color ? { color } : {});
  bar.style.width = `${100 * share}%`;
  return el("td", { class: "share", "aria-hidden": "true" }, bar);
}

function isPresent(value) {
  return value !== null && value !== undefined && value !== false;
}
