// How numbers are written: digit for digit as in gapfinder's text output.

// A number with so many digits after the point. Python rounds a tie to the even digit; only an odd multiple of
// 1/2^(digits + 1) is a tie.
function fixed(value, digits) {
  const text = value.toFixed(digits);
  const isTie = Math.abs((value * 2 ** (digits + 1)) % 2) === 1;
  return isTie && "13579".includes(text.at(-1)) ? (value * (1 - 1e-12)).toFixed(digits) : text;
}

const UNITS = [
  ["s", 1e9],
  ["ms", 1e6],
  ["us", 1e3],
];

// A duration with three significant digits: 812 ns, 3.21 us, 45.6 ms, 1.23 s.
export function duration(ns) {
  for (const [unit, size] of UNITS) {
    if (Math.abs(ns) >= 0.9995 * size) {
      const value = ns / size;
      const digits = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
      return `${fixed(value, digits)} ${unit}`;
    }
  }
  return `${fixed(ns, 0)} ns`;
}

export function percent(share) {
  return `${fixed(100 * share, 1)} %`;
}

// 1 step, 2 steps, 1,000 steps.
export function count(number, noun, plural = `${noun}s`) {
  return number === 1 ? `1 ${noun}` : `${wholeNumber(number)} ${plural}`;
}

// 1,000
export function wholeNumber(number) {
  return number.toLocaleString("en");
}

// A time as Nsight's timeline shows it: seconds since the session began.
export function timestamp(ns) {
  return `${fixed(ns / 1e9, 6)} s`;
}

// A number with three significant digits, or all of those before its point: 0.475, 32.9, 2,031.
export function amount(number) {
  return number >= 99.95 ? wholeNumber(Math.round(number)) : `${Number(number.toPrecision(3))}`;
}

// The unit for an axis that ends at `ns`, and how many ns one unit has.
export function axisUnit(ns) {
  return UNITS.find(([, size]) => ns >= 2 * size) ?? ["ns", 1];
}
