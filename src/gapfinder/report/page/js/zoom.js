// The part of a step that its timeline shows. The reader zooms and moves it with the wheel, by dragging, with keys, and by buttons.
const CLOSEST_NS = 500; // the shortest part that is shown
export const ZOOM = 0.6; // of the width, for a key or a button
const MOVE = 0.15;

// `view` is {from, to, length} in ns; `onChange` is called after it has changed.
export function zoomable(element, view, onChange) {
  const show = (from, width) => {
    const shown = Math.min(view.length, Math.max(CLOSEST_NS, width));
    view.from = Math.max(0, Math.min(view.length - shown, from));
    view.to = view.from + shown;
    onChange();
  };
  // around a point, given as a share of the width
  const zoom = (factor, point = 0.5) => {
    const width = view.to - view.from;
    const shown = Math.min(view.length, Math.max(CLOSEST_NS, width * factor));
    show(view.from + point * (width - shown), shown);
  };
  const move = (share) => show(view.from + share * (view.to - view.from), view.to - view.from);
  const whole = () => show(0, view.length);

  element.addEventListener(
    "wheel",
    (event) => {
      event.stopPropagation(); // the chart would keep the page from scrolling
      const box = element.getBoundingClientRect();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        move((event.deltaX || event.deltaY) / box.width);
      } else if (event.deltaY > 0 && view.to - view.from >= view.length) {
        return; // nothing more to show: the page scrolls
      } else {
        const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002)));
        zoom(factor, (event.clientX - box.left) / box.width);
      }
      event.preventDefault();
    },
    { passive: false, capture: true },
  );
  onDrag(element, move);
  const zoomIn = () => zoom(ZOOM);
  const zoomOut = () => zoom(1 / ZOOM);
  const left = () => move(-MOVE);
  const right = () => move(MOVE);
  const keys = {
    "+": zoomIn,
    "=": zoomIn,
    w: zoomIn,
    "-": zoomOut,
    s: zoomOut,
    ArrowLeft: left,
    a: left,
    ArrowRight: right,
    d: right,
    0: whole,
    Home: whole,
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  return { zoom, show, whole };
}

function onDrag(element, move) {
  let lastX = null;
  const end = () => {
    lastX = null;
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) lastX = event.clientX;
  });
  element.addEventListener("pointermove", (event) => {
    if (lastX === null) return;
    if (!event.buttons) end();
    else if (event.clientX !== lastX) {
      move((lastX - event.clientX) / element.getBoundingClientRect().width);
      lastX = event.clientX;
    }
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, end);
}
