// What the reader has selected: a step, a gap in it, a cause. The address holds it, as #step=12&gap=3&cause=copy, so that a link
// leads to the same place.
import { addressedTime } from "./address.js";
import { data } from "./data.js";

const listeners = [];
export const selection = { step: null, gap: null, cause: null };

// Calls a function after each change, with the selection before it.
export function onSelection(listener) {
  listeners.push(listener);
}

export function select(change) {
  const before = { ...selection };
  const otherStep = "step" in change && change.step !== selection.step;
  Object.assign(selection, otherStep ? { gap: null } : {}, change);
  const parts = Object.entries(selection).filter(([, value]) => value !== null);
  history.replaceState(null, "", `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`);
  for (const listener of listeners) listener(before);
}

// What the address asks for, without the steps and causes that do not exist.
export function fromAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  const wanted = {};
  const step = Number(address.get("step"));
  if (address.has("step") && data.steps.number.includes(step)) {
    wanted.step = step;
    const gap = Number(address.get("gap"));
    wanted.gap = Number.isInteger(gap) && gap > 0 ? gap : null;
  }
  const cause = address.get("cause");
  if (data.diagnosis.causes.some((known) => known.cause === cause)) wanted.cause = cause;
  return wanted;
}

addEventListener("hashchange", () => {
  if (!addressedTime()) select({ cause: null, gap: null, ...fromAddress() });
});
