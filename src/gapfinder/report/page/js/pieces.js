// A piece of a bar of HTML: a cause, as wide as its share.
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
