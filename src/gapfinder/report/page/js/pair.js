// Both ledgers as bars below each other, as long as their steps.
import { data } from "./data.js";
import { bars, piece } from "./pieces.js";
import { duration, percent } from "./units.js";

export function ledgerBars() {
  const compared = [data.traces[0], data.traces.at(-1)];
  const longest = Math.max(...compared.map(({ step_ns: ns }) => ns ?? 0));
  const known = compared.every(({ step_ns: ns }) => ns !== null);
  const rows = compared.map((trace, which) => {
    const pieces = data.ledger
      .map(({ cause, shares }) => [cause, shares[which]])
      .filter(([, share]) => share > 0)
      .map(([cause, share]) => piece(cause, share, known ? duration(share * trace.step_ns) : percent(share)));
    return { name: `${trace.label} ${trace.step_ns === null ? "" : trace.step}`, length: known ? trace.step_ns / longest : 1, pieces };
  });
  return bars(rows);
}
