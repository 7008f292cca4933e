// What lies under the pointer.
import { box, firstAfter, visibleBoxes } from "./timeline_data.js";

const NEAR = 1.5; // pixels beside a thin box at which it is still meant

// The row and the box at a point, {row, lane, box}; null where there is none.
export function pick(rows, view, width, x, y) {
  const row = rows.find((one) => y >= one.y && y < one.y + one.height);
  if (!row) return null;
  const nsPerPixel = (view.to - view.from) / width;
  const time = view.from + x * nsPerPixel;
  const reach = NEAR * nsPerPixel;
  for (const lane of [...row.lanes].reverse()) {
    let nearest = null;
    for (const [from, to, boxes] of visibleBoxes(
      lane,
      Math.max(view.from, time - reach),
      Math.min(view.to, time + reach),
      nsPerPixel,
    )) {
      for (let index = firstAfter(boxes, from); index < boxes.count && boxes.start[index] < to; index++) {
        const distance = Math.max(0, boxes.start[index] - time, time - boxes.end[index]);
        if (!nearest || distance <= nearest.distance) nearest = { distance, boxes, index };
      }
    }
    if (nearest) return { row, lane, box: box(nearest.boxes, nearest.index) };
  }
  return null;
}
