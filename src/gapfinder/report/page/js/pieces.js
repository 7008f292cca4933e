// Bars of HTML, in pieces: a cause each, as wide as its share.
import { el } from "./dom.js";
import { colour, colourOf, onTheme, textOn } from "./theme.js";
import { percent } from "./units.js";

export function piece(cause, share, amount) {
  const found = el("span", { colour: colourOf(cause), title: `${cause} ${amount}, ${percent(share)}` });
  found.style.flexGrow = share;
  found.style.flexBasis = 0;
  if (share < 0.012) found.style.padding = 0;
  if (share >= 0.07) found.textContent = share >= 0.13 ? `${cause} ${amount}` : cause;
  const paint = () => found.style.setProperty("--on", textOn(colour(cause)));
  onTheme(paint);
  paint();
  return found;
}

// Bars below each other: {name, length, pieces}, the length as a share of the longest.
export function bars(rows) {
  const cells = rows.map(({ name, length, pieces }) => {
    const bar = el("div", { class: "mean" }, pieces);
    bar.style.width = `${100 * length}%`;
    return [el("span", {}, name), bar];
  });
  return el("div", { class: "pair", "aria-hidden": "true" }, cells.flat());
}
