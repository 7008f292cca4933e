// Elements. Text from a trace gets in as text and never as markup.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "colour") element.style.setProperty("--colour", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A table. Columns are {head, class}; cells are strings, elements, or lists of them, and the first one heads its row.
export function table({ caption, columns, rows, foot, className }) {
  const cell = (content, at) =>
    at === 0
      ? el("th", { scope: "row", class: columns[at].class }, content)
      : el("td", { class: columns[at].class }, content);
  const row = (cells) => (cells instanceof Element ? cells : el("tr", {}, cells.map(cell)));
  return el(
    "table",
    { class: className },
    caption && el("caption", {}, caption),
    el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col", class: column.class }, column.head)))),
    el("tbody", {}, rows.map(row)),
    foot && el("tfoot", {}, row(foot)),
  );
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}
