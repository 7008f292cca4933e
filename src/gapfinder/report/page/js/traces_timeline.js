// The timeline of several traces: of the ranks of a job, or of what is compared.
import { addressedTime, addressOf } from "./address.js";
import { allPlaces } from "./places.js";
import { makeTimeline } from "./timeline.js";
import { timeline } from "./timeline_data.js";

// The section, and a function that draws it and goes where the address leads. Without a timeline the section is null.
export function tracesTimeline(title, about) {
  if (!timeline.parts.length) return [null, () => {}];
  let at = null;
  const goTo = (from, to) => {
    at = from;
    show(from, to);
    measureTime(from, to);
  };
  const showAddressed = () => {
    const time = addressedTime();
    if (!time) return;
    goTo(...time);
    section.scrollIntoView({ block: "start" });
  };
  const nextGap = (direction) => {
    const places = allPlaces();
    const middle = at ?? (view.from + view.to) / 2;
    const after = (place) => (direction > 0 ? place.start_ns > middle : place.start_ns < middle);
    const place = direction > 0 ? places.find(after) : places.findLast(after);
    if (!place) return;
    goTo(place.start_ns, place.end_ns);
    history.replaceState(null, "", addressOf(place.start_ns, place.end_ns));
  };
  const { section, start, show, view, measureTime, parts } = makeTimeline({
    title,
    first: () => typicalStep(),
    cause: () => null,
    gap: () => null,
    letGo: () => {
      at = null;
      history.replaceState(null, "", "#");
    },
    onGap: () => false,
    controls: [
      ["← gap", "Previous gap", () => nextGap(-1)],
      ["gap →", "Next gap", () => nextGap(1)],
    ],
    keys: new Map([
      ["n", () => nextGap(1)],
      ["p", () => nextGap(-1)],
    ]),
    keysHelp: [[["n", "p"], "next and previous gap"]],
  });
  parts.about.textContent = about;
  addEventListener("hashchange", showAddressed);
  const draw = () => {
    start();
    showAddressed();
  };
  return [section, draw];
}

// The step of median length of the first trace; as wide as the longest such step of all traces.
function typicalStep() {
  const typical = timeline.parts.map(({ steps }) => {
    const sorted = [...steps].sort((one, other) => one[2] - one[1] - (other[2] - other[1]));
    return sorted[Math.floor((sorted.length - 1) / 2)];
  });
  const [, start] = typical[0];
  return [start, start + Math.max(...typical.map(([, from, to]) => to - from))];
}
