// What a reader looks at: a step, a gap in it, a cause. It is in the address, as #step=12&gap=3&cause=copy, so that a link
// leads to the place.
import { data } from "./data.js";

const listeners = [];
export const selection = { step: null, gap: null, cause: null };

export function onSelection(listener) {
  listeners.push(listener);
}

export function select(change) {
  if ("step" in change && change.step !== selection.step && !("gap" in change)) change = { ...change, gap: null };
  const before = { ...selection };
  Object.assign(selection, change);
  const parts = Object.entries(selection).filter(([, value]) => value !== null);
  history.replaceState(null, "", `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`);
  for (const listener of listeners) listener(before);
}

// What the address asks for; what there is none of is left out.
export function asked() {
  const found = new URLSearchParams(location.hash.slice(1));
  const change = {};
  const step = Number(found.get("step"));
  if (found.has("step") && data.steps.number.includes(step)) {
    change.step = step;
    const gap = Number(found.get("gap"));
    change.gap = Number.isInteger(gap) && gap > 0 ? gap : null;
  }
  const cause = found.get("cause");
  if (data.diagnosis.causes.some((one) => one.cause === cause)) change.cause = cause;
  return change;
}

addEventListener("hashchange", () => select({ cause: null, ...asked() }));
