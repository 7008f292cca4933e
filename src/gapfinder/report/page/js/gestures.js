// The wheel, the mouse and fingers on a timeline: zoom, move, measure.
const CLICK = 4; // pixels that a pointer may move in a click
const CLOSE = 0.03; // of the width: fingers that are closer beside each other only move

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

  let drag = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    // a second finger: no tap
    drag = event.isPrimary ? { from: shareOf(event), startX: event.clientX, lastX: event.clientX, isDrag: false } : null;
    // a pen or a mouse may leave the timeline and still drag
    if (event.isTrusted && event.pointerType !== "touch") element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    drag.isDrag ||= Math.abs(event.clientX - drag.startX) > CLICK;
    if (!drag.isDrag || event.pointerType === "touch") return;
    if (event.shiftKey) {
      view.move((drag.lastX - event.clientX) / element.getBoundingClientRect().width);
      drag.lastX = event.clientX;
      drag.from = null;
    } else if (drag.from !== null) {
      measure(drag.from, shareOf(event), false);
    }
  });
  element.addEventListener("pointerup", (event) => {
    if (drag && !drag.isDrag) click(event);
    else if (drag && drag.from !== null && event.pointerType !== "touch") measure(drag.from, shareOf(event), true);
    drag = null;
  });
  element.addEventListener("pointercancel", () => {
    drag = null;
  });
  onTwoFingers(element, view, shareOf);
}

// Two fingers keep the times that they touch: the timeline moves and zooms with them. One finger is left to the page, to scroll.
function onTwoFingers(element, view, shareOf) {
  let held = null;
  const touched = (event) => {
    const shares = [...event.targetTouches].map(shareOf);
    if (shares.length !== 2) {
      held = null;
      return;
    }
    if (event.cancelable) event.preventDefault();
    const [one, other] = shares;
    const now = { middle: (one + other) / 2, apart: Math.abs(one - other) };
    if (held) {
      const isPinch = Math.min(held.apart, now.apart) > CLOSE;
      const width = view.to - view.from;
      const shown = isPinch ? (width * held.apart) / now.apart : width;
      view.show(view.from + held.middle * width - now.middle * shown, shown);
    }
    held = now;
  };
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    element.addEventListener(type, touched, { passive: false });
  }
}
