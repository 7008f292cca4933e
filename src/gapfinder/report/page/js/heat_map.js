// A heat map on a canvas: a row for each rank, a column for each step, darker where more time went.
import { el } from "./dom.js";
import { cssVariable } from "./theme.js";

const HEIGHT = 420; // pixels of all rows together; a row takes at least 1
const ROW = 18; // pixels of a row at most, which is room for its name

// `cells` are rows of times in ns, null where there is none; `top` is the largest; `describe(row, column)` says what a cell is.
// Returns the element, and a function that paints it again in another theme.
export function heatMap({ cells, top, label }, describe) {
  const [rows, columns] = [cells.length, cells[0].length];
  const canvas = el("canvas", {
    width: columns,
    height: rows,
    role: "img",
    "aria-label": `${label}; the table below says the same`,
  });
  const tip = el("div", { class: "tip over", hidden: true });
  canvas.style.height = `${Math.max(rows, Math.min(HEIGHT, ROW * rows))}px`;
  const paint = () => {
    const [pale, dark, none] = ["--faded", "--ink", "--paper"].map((name) => channels(cssVariable(name)));
    const context = canvas.getContext("2d");
    const image = context.createImageData(columns, rows);
    cells.flat().forEach((ns, index) => {
      const share = ns === null || !top ? 0 : Math.sqrt(ns / top); // the root tells small times apart
      const color = ns === null ? none : pale.map((from, channel) => from + share * (dark[channel] - from));
      image.data.set([...color, 255], 4 * index);
    });
    context.putImageData(image, 0, 0);
  };
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const { width, height } = canvas.getBoundingClientRect();
    const cell = (offset, length, cellCount) => Math.min(cellCount - 1, Math.max(0, Math.floor((offset / length) * cellCount)));
    tip.hidden = false;
    tip.textContent = describe(cell(offsetY, height, rows), cell(offsetX, width, columns));
    tip.style.left = `${Math.min(offsetX + 14, width - tip.offsetWidth)}px`;
    tip.style.top = `${offsetY + 18}px`;
  });
  canvas.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  paint();
  return { box: el("div", { class: "heat" }, canvas, tip), paint };
}

// A heat map with the names of its rows, or of the first and the last where not all have room, and of its first and last column.
export function withLabels(box, rows, columns) {
  const named = rows.length * ROW <= HEIGHT ? rows : [rows[0], rows.at(-1)];
  const labels = (names) =>
    el(
      "p",
      { class: "quiet ends", "aria-hidden": "true" },
      names.map((name) => el("span", {}, name)),
    );
  return el("div", { class: "heated" }, labels(named), box, columns && [el("span"), labels(columns)]);
}

function channels(hex) {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
}
