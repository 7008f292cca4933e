// Light or dark: as the system has it, unless a reader chooses; always light on paper.
import { el } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const choice = document.getElementById("theme");
const listeners = [];
let own = [];

// Colours of the user's own causes, by their place among those that the palette does not know.
export function knowCauses(causes) {
  own = causes.filter((cause) => !variable(`--cause-${cause}`)).sort();
}

export function variable(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function colour(cause) {
  if (cause === "compute") return variable("--compute");
  return variable(`--cause-${cause}`) || variable(`--own-${1 + (own.indexOf(cause) % 4)}`);
}

// What CSS needs to follow the theme by itself.
export function colourOf(cause) {
  if (cause === "compute") return "var(--compute)";
  return own.includes(cause) ? `var(--own-${1 + (own.indexOf(cause) % 4)})` : `var(--cause-${cause})`;
}

// Black or white, whichever is easier to read on a colour (WCAG 2 relative luminance).
export function textOn(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000000" : "#ffffff";
}

export function swatch(cause) {
  return el("span", { class: "swatch", colour: colourOf(cause), "aria-hidden": "true" });
}

export function onTheme(listener) {
  listeners.push(listener);
}

function apply(theme) {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function wanted() {
  return choice.value === "auto" ? (dark.matches ? "dark" : "light") : choice.value;
}

choice.addEventListener("change", () => apply(wanted()));
dark.addEventListener("change", () => apply(wanted()));
addEventListener("beforeprint", () => apply("light"));
addEventListener("afterprint", () => apply(wanted()));
apply(wanted());
