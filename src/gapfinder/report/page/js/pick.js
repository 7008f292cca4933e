// What lies under the pointer.
import { box, firstAfter, visibleBoxes } from "./timeline_data.js";

const NEAR = 1.5; // pixels beside a thin box at which it is still meant

// The row and the box at a point, {row, track, box}; null where there is none.
export function pick(rows, view, width, x, y) {
  const row = rows.find((one) => y >= one.y && y < one.y + one.height);
  if (!row) return null;
  const nsPerPixel = (view.to - view.from) / width;
  const time = view.from + x * nsPerPixel;
  const reach = NEAR * nsPerPixel;
  for (const track of [...row.tracks].reverse()) {
    let nearest = null;
    for (const [from, to, boxes] of visibleBoxes(
      track,
      Math.max(view.from, time - reach),
      Math.min(view.to, time + reach),
      nsPerPixel,
    )) {
      for (let index = firstAfter(boxes, from); index < boxes.count && boxes.start[index] < to; index++) {
        const distance = Math.max(0, boxes.start[index] - time, time - boxes.end[index]);
        if (!nearest || distance <= nearest.distance) nearest = { distance, boxes, index };
      }
    }
    if (nearest) return { row, track, box: box(nearest.boxes, nearest.index) };
  }
  return null;
}
