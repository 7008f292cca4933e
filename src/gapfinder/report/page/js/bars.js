// Horizontal bars of HTML: a part for each cause, as wide as its share.
import { el } from "./dom.js";
import { causeColor, causeHex, onTheme, textOn } from "./theme.js";
import { percent } from "./units.js";

const ROOM_FOR_NAME = 0.07; // of the bar
const ROOM_FOR_AMOUNT = 0.13;
const NO_ROOM_FOR_PADDING = 0.012;

// The part of one cause, with as much text as it has room for.
// `onclick` may say what a click on it does.
export function barPart(cause, share, amount, onclick = null) {
  const part = el("span", { color: causeColor(cause), title: `${cause} ${amount}, ${percent(share)}` });
  if (onclick) {
    part.addEventListener("click", onclick);
    part.classList.add("clickable");
  }
  part.style.flexGrow = share;
  part.style.flexBasis = 0;
  if (share < NO_ROOM_FOR_PADDING) part.style.padding = 0;
  if (share >= ROOM_FOR_NAME) part.textContent = share >= ROOM_FOR_AMOUNT ? `${cause} ${amount}` : cause;
  const setTextColor = () => part.style.setProperty("--on", textOn(causeHex(cause)));
  onTheme(setTextColor);
  setTextColor();
  return part;
}

// One bar over the whole width.
export function bar(parts) {
  return el("div", { class: "mean", "aria-hidden": "true" }, parts);
}

// Bars below each other: {name, length, parts}, the length as a share of the longest.
export function bars(rows) {
  const cells = rows.map(({ name, length, parts }) => {
    const one = el("div", { class: "mean" }, parts);
    one.style.width = `${100 * length}%`;
    return [el("span", {}, name), one];
  });
  return el("div", { class: "pair", "aria-hidden": "true" }, cells.flat());
}
