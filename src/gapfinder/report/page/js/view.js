// The part of a timeline that is seen: {from, to} within {first, last}, all in ns.
const CLOSEST_NS = 500; // the shortest part that is shown
export const ZOOM = 0.6; // of the width, for a key or a button
export const MOVE = 0.15;

// `onChange` is called after each change.
export function makeView(first, last, onChange) {
  const view = { from: first, to: last, first, last };
  // The time from `from` on, of a width, as far as there is some.
  view.show = (from, width) => {
    const shown = Math.min(last - first, Math.max(CLOSEST_NS, width));
    view.from = Math.max(first, Math.min(last - shown, from));
    view.to = view.from + shown;
    onChange();
  };
  // Around a point, given as a share of the width.
  view.zoom = (factor, point = 0.5) => {
    const width = view.to - view.from;
    const shown = Math.min(last - first, Math.max(CLOSEST_NS, width * factor));
    view.show(view.from + point * (width - shown), shown);
  };
  view.move = (share) => view.show(view.from + share * (view.to - view.from), view.to - view.from);
  view.isWhole = () => view.to - view.from >= last - first;
  view.isAt = (from, to) => Math.abs(view.from - from) < 1 && Math.abs(view.to - to) < 1;
  return view;
}
