// Times in the address, as #at=START-END in ns on the clock of the trace, or of the first of several.
import { timeline } from "./timeline_data.js";

// The time that the address asks for, in ns from the start of the timeline; null where it asks for none.
export function addressedTime() {
  const found = /[#&]at=(\d+)-(\d+)/.exec(location.hash);
  return found && Number(found[2]) >= Number(found[1]) ? found.slice(1).map((ns) => Number(ns) - timeline.startNs) : null;
}

// The address of a time that is given in ns from the start of the timeline.
export function addressOf(from, to) {
  return `#at=${from + timeline.startNs}-${to + timeline.startNs}`;
}
