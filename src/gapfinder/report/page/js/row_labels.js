// The names of the rows beside the timeline. A group is folded by its name; a row is made higher or lower at its lower edge.
import { el } from "./dom.js";
import { fold, HIGHEST, LOWEST, resize } from "./rows.js";

const STEP = 4; // pixels, for an arrow key

// `onChange` is called after a row was folded or has another height.
export function rowLabels(rows, onChange) {
  return rows.map((row) => {
    const { y, height, label, isHead, folds, isFolded } = row;
    const toggle = () => {
      fold(row.group, !isFolded);
      onChange(`[data-row="${row.id}"]`);
    };
    const name = folds
      ? el(
          "button",
          { type: "button", class: "fold", "aria-expanded": `${!isFolded}`, "data-row": row.id, title: label, onclick: toggle },
          el("span", { class: "mark", "aria-hidden": "true" }, isFolded ? "▸" : "▾"),
          label,
        )
      : el("span", { title: label }, label);
    const line = el("div", { class: isHead ? "row head" : "row" }, name, handle(row, onChange));
    line.style.top = `${y}px`;
    line.style.height = `${height}px`;
    line.style.lineHeight = `${Math.min(height, 20)}px`;
    return line;
  });
}

// The lower edge of a row: it is dragged, or moved by arrow keys.
function handle(row, onChange) {
  const change = (height, focus) => {
    resize(row, height);
    onChange(focus);
  };
  const grip = el("div", {
    class: "grip",
    title: "Drag, or arrow keys: make this row higher or lower",
    role: "separator",
    tabindex: "0",
    "aria-orientation": "horizontal",
    "aria-label": `Height of ${row.label || "this row"}`,
    "aria-valuenow": `${row.height}`,
    "aria-valuemin": `${LOWEST}`,
    "aria-valuemax": `${HIGHEST}`,
    "data-grip": row.id,
  });
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const top = event.clientY - row.height;
    const move = (moved) => change(moved.clientY - top);
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
  grip.addEventListener("keydown", (event) => {
    const heights = new Map([
      ["ArrowDown", row.height + STEP],
      ["ArrowUp", row.height - STEP],
      ["Home", LOWEST],
      ["End", HIGHEST],
    ]);
    if (!heights.has(event.key)) return;
    event.preventDefault();
    change(heights.get(event.key), `[data-grip="${row.id}"]`);
  });
  grip.addEventListener("dblclick", () => change(row.height + 4 * STEP));
  return grip;
}
