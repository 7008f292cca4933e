// Light or dark: as the system says, unless the reader chooses; always light on paper.
// The greys are in CSS. The colors of the causes are data: {id, color, color_dark} for each, and set as the variables --cause-N.
import { data } from "./data.js";
import { el } from "./dom.js";

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const choice = document.getElementById("theme");
const root = document.documentElement;
const listeners = [];
const { causes } = data.theme;
const variables = new Map(causes.map(({ id }, index) => [id, `--cause-${index}`])).set("compute", "--compute");

// The value of a CSS variable in this theme.
export function cssVariable(name) {
  return getComputedStyle(root).getPropertyValue(name).trim();
}

// The color of a cause, or of compute, in this theme: #rrggbb, for charts.
export function causeHex(cause) {
  return cssVariable(variableOf(cause));
}

// The same for CSS, which then follows the theme by itself.
export function causeColor(cause) {
  return `var(${variableOf(cause)})`;
}

function variableOf(cause) {
  return variables.get(cause) ?? "--quiet";
}

// Black or white, whichever is easier to read on a color (WCAG 2 relative luminance).
export function textOn(hex) {
  const [r, g, b] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000000" : "#ffffff";
}

// A small square in the color of a cause.
export function swatch(cause) {
  return el("span", { class: "swatch", color: causeColor(cause), "aria-hidden": "true" });
}

// Calls a function whenever the theme changes.
export function onTheme(listener) {
  listeners.push(listener);
}

function apply(theme) {
  root.dataset.theme = theme;
  causes.forEach(({ color, color_dark: dark }, index) => {
    root.style.setProperty(`--cause-${index}`, theme === "dark" ? dark : color);
  });
  for (const listener of listeners) listener();
}

function chosen() {
  if (choice.value !== "auto") return choice.value;
  return systemIsDark.matches ? "dark" : "light";
}

choice.addEventListener("change", () => apply(chosen()));
systemIsDark.addEventListener("change", () => apply(chosen()));
addEventListener("beforeprint", () => apply("light"));
addEventListener("afterprint", () => apply(chosen()));
apply(chosen());
