// The verdict in a sentence, with the colour of its cause.
import { el } from "./dom.js";
import { colourOf } from "./theme.js";

export function sentence(tag, { cause, headline: text }) {
  const at = text.indexOf(cause);
  if (at < 0) return el(tag, {}, text);
  return el(tag, {}, text.slice(0, at), el("mark", { colour: colourOf(cause) }, cause), text.slice(at + cause.length));
}
