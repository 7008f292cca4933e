// A heat map on a canvas: a row for each rank, a column for each step, stronger where more time went.
import { el } from "./dom.js";
import { variable } from "./theme.js";

const NO_STEP = 65535;
const TOP = 65000;
const HEIGHT = 420; // pixels of all rows together; a row takes 1 at least
const ROW = 18; // pixels of a row at most, which is room for its name

// What each cell lost, in ns; null where there is no such step.
export function cellsOf({ cells, columns, rows, top_ns: top }) {
  const bytes = new DataView(Uint8Array.from(atob(cells), (letter) => letter.charCodeAt(0)).buffer);
  const at = (cell) => {
    const value = bytes.getUint16(2 * cell, true);
    return value === NO_STEP ? null : (value / TOP) ** 2 * top;
  };
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => at(row * columns + column)));
}

// `what` is that of which the map is, `words(row, column, ns)` says what is in a cell.
export function heatMap(drawn, cells, what, words) {
  const canvas = el("canvas", { width: drawn.columns, height: drawn.rows, role: "img", "aria-label": `${what}; the table below has the same` });
  const tip = el("div", { class: "tip over", hidden: true });
  const box = el("div", { class: "heat" }, canvas, tip);
  canvas.style.height = `${Math.max(drawn.rows, Math.min(HEIGHT, ROW * drawn.rows))}px`;
  const paint = () => {
    const [pale, dark, none] = ["--faded", "--ink", "--paper"].map((name) => channels(variable(name)));
    const context = canvas.getContext("2d");
    const image = context.createImageData(drawn.columns, drawn.rows);
    cells.flat().forEach((ns, at) => {
      const share = ns === null || !drawn.top_ns ? 0 : Math.sqrt(ns / drawn.top_ns);
      const colour = ns === null ? none : pale.map((from, which) => from + share * (dark[which] - from));
      image.data.set([...colour, 255], 4 * at);
    });
    context.putImageData(image, 0, 0);
  };
  canvas.addEventListener("pointermove", (event) => {
    const { width, height } = canvas.getBoundingClientRect();
    const column = Math.min(drawn.columns - 1, Math.max(0, Math.floor((event.offsetX / width) * drawn.columns)));
    const row = Math.min(drawn.rows - 1, Math.max(0, Math.floor((event.offsetY / height) * drawn.rows)));
    tip.hidden = false;
    tip.textContent = words(row, column, cells[row][column]);
    tip.style.left = `${Math.min(event.offsetX + 14, width - tip.offsetWidth)}px`;
    tip.style.top = `${event.offsetY + 18}px`;
  });
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  paint();
  return { box, paint };
}

// With the names of its rows, of the first and the last where there is no room for all, and of its first and last column.
export function framed(box, rows, columns) {
  const named = rows.length * ROW <= HEIGHT ? rows : [rows[0], rows.at(-1)];
  const ends = (names) => el("p", { class: "quiet ends", "aria-hidden": "true" }, names.map((name) => el("span", {}, name)));
  return el("div", { class: "heated" }, ends(named), box, columns && [el("span"), ends(columns)]);
}

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}
