// What the means on the page of a trace are over: a step, a regime, or the whole window.
import { data } from "./data.js";

const { window: diagnosed } = data.diagnosis;
// Whether it is the window: then there is nothing to count.
export const isOne = data.unit === "window";

// What it is called: step, token, checkpoint, window.
export const unit = data.unit;
// One of them: a step, an epoch start, the window.
export const aUnit = data.a_unit;
// Whether it is a step, or the token that a step generates.
export const hasSteps = diagnosed.regime !== diagnosed.unit && !isOne;
// How many of them the window has, to turn sums over it into means.
export const unitsInWindow = diagnosed.length_ns / diagnosed.step_ns;
// The head of a column of means.
export const perUnit = isOne ? "in all" : `per ${unit}`;

// Whether a fix makes it shorter: not that of a server, whose steps come when requests do.
export const isShortened = !data.diagnosis.requests;

// The head of a column of means of something.
export function meanOf(what) {
  return isOne ? what : `${what} ${perUnit}`;
}

// A mean, with what it is over.
export function each(mean) {
  return isOne ? mean : `${mean} ${aUnit}`;
}
