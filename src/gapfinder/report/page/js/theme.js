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

const known = new Map();

// The value of a CSS variable in this theme. It is looked up once: a timeline asks for thousands.
export function cssVariable(name) {
  if (!known.has(name)) known.set(name, getComputedStyle(root).getPropertyValue(name).trim());
  return known.get(name);
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

// A quiet color for a name: the same name has the same color on every page.
const HUES = 16;
export function nameHex(name) {
  let hash = 2166136261;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 16777619) >>> 0;
  const isDark = root.dataset.theme === "dark";
  return hex((hash % HUES) / HUES, isDark ? 0.3 : 0.42, isDark ? 0.42 : 0.74);
}

// A color of hue, saturation and lightness, each 0 to 1, as #rrggbb.
function hex(hue, saturation, lightness) {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset) => {
    const turn = (offset + hue * 12) % 12;
    const value = lightness - strength * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
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
  known.clear();
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
