// How numbers are written: as gapfinder's text output writes them, digit for digit.
// As Python rounds: exactly, and a tie to the even digit. Only an odd number of 1/2^(digits + 1) is a tie.
function fixed(value, digits) {
  const up = value.toFixed(digits);
  const tie = Math.abs((value * 2 ** (digits + 1)) % 2) === 1;
  return tie && "13579".includes(up.at(-1)) ? (value * (1 - 1e-12)).toFixed(digits) : up;
}

// A duration with three digits that count: 812 ns, 3.21 us, 45.6 ms, 1.23 s.
export function duration(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) {
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

export function count(number, what) {
  return number === 1 ? `1 ${what}` : `${number.toLocaleString("en")} ${what}s`;
}

// A time as Nsight's timeline shows it: seconds since the session began.
export function moment(ns) {
  return `${fixed(ns / 1e9, 6)} s`;
}

// Numbers of things a step: 5, 76.7, 1,200.
export function times(number) {
  return Number(number.toPrecision(3)).toLocaleString("en");
}

// A scale for an axis that ends at this many ns: its unit, and how many ns that has.
export function scale(ns) {
  return [["s", 1e9], ["ms", 1e6], ["us", 1e3]].find(([, size]) => ns >= 2 * size) ?? ["ns", 1];
}
