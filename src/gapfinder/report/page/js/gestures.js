// The wheel, the mouse and fingers on a timeline: zoom, move, measure.
const CLICK = 4; // pixels that a pointer may move in a click

// `measure(from, to, isDone)` is called with shares of the width while the reader drags; `click(event)` where nothing was dragged.
export function onGestures(element, view, { measure, click }) {
  const shareOf = (event) => {
    const box = element.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  element.addEventListener(
    "wheel",
    (event) => {
      const box = element.getBoundingClientRect();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        view.move((event.deltaX || event.deltaY) / box.width);
      } else if (event.deltaY > 0 && view.isWhole()) {
        return; // nothing more to show: the page scrolls
      } else {
        view.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002))), shareOf(event));
      }
      event.preventDefault();
    },
    { passive: false },
  );

  const fingers = new Map();
  let drag = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (event.pointerType === "touch") fingers.set(event.pointerId, event.clientX);
    const moves = event.shiftKey || event.pointerType === "touch";
    drag = { from: shareOf(event), startX: event.clientX, lastX: event.clientX, moves, isDrag: false };
    // a pen or a mouse may leave the timeline and still drag
    if (event.isTrusted) element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    if (fingers.size === 2 && fingers.has(event.pointerId)) {
      pinch(event, fingers, element, view);
      return;
    }
    drag.isDrag ||= Math.abs(event.clientX - drag.startX) > CLICK;
    if (!drag.isDrag) return;
    if (drag.moves) {
      view.move((drag.lastX - event.clientX) / element.getBoundingClientRect().width);
      drag.lastX = event.clientX;
    } else {
      measure(drag.from, shareOf(event), false);
    }
  });
  const end = (event) => {
    fingers.delete(event.pointerId);
    if (drag && event.type === "pointerup") {
      if (!drag.isDrag) click(event);
      else if (!drag.moves) measure(drag.from, shareOf(event), true);
    }
    drag = null;
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}

// Zooms by as much as the distance between two fingers changes.
function pinch(event, fingers, element, view) {
  const box = element.getBoundingClientRect();
  const [before] = distances(fingers);
  fingers.set(event.pointerId, event.clientX);
  const [after, middle] = distances(fingers);
  if (before > 0 && after > 0) view.zoom(before / after, (middle - box.left) / box.width);
}

function distances(fingers) {
  const [one, other] = fingers.values();
  return [Math.abs(one - other), (one + other) / 2];
}
