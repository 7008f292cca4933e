// The timeline of a trace, and what of it is selected: a step, a gap, a cause.
import { addressedTime } from "./address.js";
import { data } from "./data.js";
import { el, replace } from "./dom.js";
import { hasSteps, unit } from "./means.js";
import { allPlaces, placeOf } from "./places.js";
import { onSelection, select, selection } from "./selection.js";
import { slowest, summary, typical } from "./steps.js";
import { makeTimeline } from "./timeline.js";
import { isWhole, timeline } from "./timeline_data.js";
import { duration } from "./units.js";

const { number: numbers } = data.steps;

// The selected step as `--window` takes it. What is no step has no number there.
function asWindow(from, to) {
  return hasSteps ? selection.step : `${from + timeline.startNs}ns..${to + timeline.startNs}ns`;
}

// The section, and a function that draws it.
export function timelineSection() {
  const stepTime = () => {
    const [, from, to] = timeline.parts[0].steps.find(([number]) => number === selection.step) ?? timeline.parts[0].steps[0];
    return [from, to];
  };
  const nextGap = (direction) => {
    const gaps = allPlaces().filter(({ cause }) => selection.cause === null || cause === selection.cause);
    const selected = gaps.findIndex(({ step, number }) => step === selection.step && number === selection.gap);
    const first =
      direction > 0
        ? gaps.findIndex(({ start_ns: start }) => start >= view.from)
        : gaps.findLastIndex(({ start_ns: start }) => start < view.to);
    const next = selected >= 0 ? selected + direction : first;
    const gap = gaps[Math.min(gaps.length - 1, Math.max(0, next))];
    if (gap) select({ step: gap.step, gap: gap.number });
  };
  const nextStep = (direction) => {
    const step = numbers[numbers.indexOf(selection.step) + direction];
    if (step !== undefined) select({ step });
  };
  const gap = () => {
    const found = selection.gap === null ? null : placeOf(selection.step, selection.gap);
    return found && { ...found, part: 0 };
  };
  const stepButtons = [
    [`← ${unit}`, `Previous ${unit}`, () => nextStep(-1)],
    [`${unit} →`, `Next ${unit}`, () => nextStep(1)],
  ];
  const { section, start, show, view, request, measureTime, parts } = makeTimeline({
    title: "Timeline",
    first: stepTime,
    cause: () => selection.cause,
    gap,
    letGo: () => select({ gap: null, cause: null }),
    onGap: ({ box: { start, extra } }) => {
      const step = timeline.parts[0].steps.find(([, from, to]) => from <= start && start < to);
      if (step) select({ step: step[0], gap: extra });
      return step !== undefined;
    },
    controls: [
      ...(numbers.length > 1 ? stepButtons : []),
      ["← gap", "Previous gap", () => nextGap(-1)],
      ["gap →", "Next gap", () => nextGap(1)],
      [`Whole ${unit}`, `Show the whole ${unit}`, () => show(...stepTime(), 0)],
    ],
    keys: new Map([
      ["n", () => nextGap(1)],
      ["p", () => nextGap(-1)],
      ["]", () => nextStep(1)],
      ["[", () => nextStep(-1)],
    ]),
    keysHelp: [
      [["n", "p"], "next and previous gap"],
      [["]", "["], `next and previous ${unit}`],
    ],
  });

  const showSelected = () => {
    const found = gap();
    if (found) show(found.start_ns, found.end_ns);
    else show(...stepTime(), 0);
  };
  const showAddressed = () => {
    const time = addressedTime();
    if (!time) return;
    show(...time);
    measureTime(...time);
  };
  const describe = () => {
    const index = numbers.indexOf(selection.step);
    const kinds = new Map([
      [typical, ", a typical one"],
      [slowest, ", the slowest"],
    ]);
    const [from, to] = stepTime();
    const { time, lost } = summary(index);
    const { levels } = timeline.parts[0];
    const detail = isWhole(timeline.parts[0], from, to)
      ? "Every activity is drawn."
      : [
          `What is shorter than ${duration(levels[0])} is drawn as one with its neighbors here. In full: `,
          el("code", {}, `gapfinder report TRACE --window ${asWindow(from, to)} -o part.html`),
        ];
    replace(
      parts.title,
      numbers.length > 1 ? `${unit[0].toUpperCase()}${unit.slice(1)} ${selection.step}${kinds.get(index) ?? ""}` : "Timeline",
    );
    replace(parts.about, `${time}, ${lost}. `, detail);
  };
  onSelection((before) => {
    describe();
    if (before.step !== selection.step || (before.gap !== selection.gap && selection.gap !== null)) {
      showSelected();
      section.scrollIntoView({ block: "nearest" });
    }
    request();
  });
  // a link without a gap leads to the whole step
  addEventListener("hashchange", () => {
    showSelected();
    showAddressed();
  });
  const draw = () => {
    start();
    describe();
    if (selection.gap !== null) showSelected();
    showAddressed();
  };
  return [section, draw];
}
