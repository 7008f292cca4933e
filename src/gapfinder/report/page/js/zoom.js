// The part of a step that its timeline shows: zoomed and moved with the wheel, by dragging, with keys, and by buttons.
const CLOSEST_NS = 500;

// `view` is {from, to, length}; `moved` is told when it changes.
export function zoomable(element, view, moved) {
  const to = (from, width) => {
    const wide = Math.min(view.length, Math.max(CLOSEST_NS, width));
    view.from = Math.max(0, Math.min(view.length - wide, from));
    view.to = view.from + wide;
    moved();
  };
  // towards a point, given as a share of the width
  const by = (factor, point = 0.5) => {
    const width = view.to - view.from;
    const at = view.from + point * width;
    const next = Math.min(view.length, Math.max(CLOSEST_NS, width * factor));
    to(at - point * next, next);
  };
  const move = (share) => to(view.from + share * (view.to - view.from), view.to - view.from);
  const whole = () => to(0, view.length);

  element.addEventListener(
    "wheel",
    (event) => {
      event.stopPropagation(); // the chart would keep the page from scrolling
      const box = element.getBoundingClientRect();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        move((event.deltaX || event.deltaY) / box.width);
      } else if (event.deltaY > 0 && view.to - view.from >= view.length) {
        return; // there is nothing more to see: the page scrolls on
      } else {
        by(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002))), (event.clientX - box.left) / box.width);
      }
      event.preventDefault();
    },
    { passive: false, capture: true },
  );
  drag(element, move);
  const keys = {
    "+": () => by(0.6), "=": () => by(0.6), w: () => by(0.6), "-": () => by(1 / 0.6), s: () => by(1 / 0.6),
    ArrowLeft: () => move(-0.15), a: () => move(-0.15), ArrowRight: () => move(0.15), d: () => move(0.15), 0: whole, Home: whole,
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  return { by, to, whole };
}

function drag(element, move) {
  let last = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) last = event.clientX;
  });
  element.addEventListener("pointermove", (event) => {
    if (last === null) return;
    if (!event.buttons) last = null;
    else if (event.clientX !== last) {
      move((last - event.clientX) / element.getBoundingClientRect().width);
      last = event.clientX;
    }
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(end, () => (last = null));
}
