// The timeline of a page: it puts together the strip above, the times, the names of the rows, the boxes and what is drawn on them.
import { drawBoxes } from "./boxes.js";
import { font } from "./chart.js";
import { el, replace } from "./dom.js";
import { onGestures } from "./gestures.js";
import { onKeys } from "./keys.js";
import { drawMarks } from "./marks.js";
import { measure } from "./measure.js";
import { measuredText } from "./measured.js";
import { overview, overviewHeight, regimeButtons } from "./overview.js";
import { pick } from "./pick.js";
import { rowLabels } from "./row_labels.js";
import { layOut } from "./rows.js";
import { drawLines, drawRuler, RULER, rangeText } from "./ruler.js";
import { search } from "./search.js";
import { onTheme } from "./theme.js";
import { timeline, warmUp } from "./timeline_data.js";
import { tip } from "./tips.js";
import { MOVE, makeView, ZOOM } from "./view.js";

const HIGHEST = 560; // pixels of the tracks at first
const MARGIN = 0.6; // of a gap's length: what is shown on both sides of it

// `owner` is what the page does with its timeline: `title`; `controls`, more buttons [text, title, action]; `keys`, a Map of more
// actions; `cause()`, the cause that is shown alone; `gap()`, the selected one; `onGap(gap)`, `onCause(null)`; `first`, [from, to].
export function makeTimeline(owner) {
  const canvas = () => el("canvas", { "aria-hidden": "true" });
  const parts = { overview: canvas(), ruler: canvas(), boxes: canvas(), marks: canvas() };
  parts.overview.id = "overview";
  parts.marks.className = "marks";
  const labels = el("div", { class: "rows" });
  const tracks = el(
    "div",
    {
      id: "tracks",
      class: "chart",
      tabindex: "0",
      role: "group",
      "aria-labelledby": "timeline-title",
      "aria-describedby": "timeline-keys",
    },
    parts.boxes,
    parts.marks,
  );
  const grid = el("div", { class: "timeline", tabindex: "-1" }, labels, tracks);
  const range = el("span", { class: "quiet", id: "range", role: "status" });
  const measured = el("div", { class: "place", id: "measured", role: "status" });
  const floating = el("div", { id: "hint", class: "over", hidden: true });
  const state = { measured: null, hovered: null, picked: null, found: null, byName: false };
  let rows = [];
  let wanted = false;
  let drawStrip = () => {};

  const view = makeView(timeline.from, timeline.to, () => request());
  const request = () => {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame(draw);
  };

  const draw = () => {
    wanted = false;
    const began = performance.now();
    const width = tracks.clientWidth;
    if (!width) return;
    const shown = rows.filter(({ y, height }) => y + height > grid.scrollTop - 50 && y < grid.scrollTop + grid.clientHeight + 50);
    const context = prepare(parts.boxes, width, heightOf(rows));
    drawLines(context, view, width, heightOf(rows));
    const look = { cause: owner.cause(), byName: state.byName, found: state.found };
    const rectangles = drawBoxes(context, shown, view, width, look);
    drawRuler(prepare(parts.ruler, width, RULER), view, width);
    drawStrip(prepare(parts.overview, width, overviewHeight()), width);
    drawTop(width);
    range.textContent = rangeText(view);
    const took = performance.now() - began;
    Object.assign(tracks.dataset, { from: view.from, to: view.to, rectangles, milliseconds: took.toFixed(2) });
  };
  const drawTop = (width = tracks.clientWidth) => {
    if (!width) return;
    const context = prepare(parts.marks, width, heightOf(rows));
    drawMarks(context, rows, view, width, heightOf(rows), { ...state, gap: owner.gap() });
  };
  const arrange = (focus) => {
    const layout = layOut();
    rows = layout.rows;
    tracks.style.height = `${layout.height}px`;
    labels.style.height = `${layout.height}px`;
    replace(
      labels,
      rowLabels(rows, (kept) => arrange(kept)),
    );
    if (typeof focus === "string") labels.querySelector(focus)?.focus();
    grid.style.maxHeight = `${layout.height + 2}px`;
    request();
  };

  const show = (from, to, margin = MARGIN) => view.show(from - margin * (to - from), (1 + 2 * margin) * (to - from));
  const measureTime = (from, to) => {
    state.measured = to > from ? { from, to } : null;
    state.picked = null;
    const all = layOut().rows;
    const zoomTo = () => show(from, to, 0);
    replace(measured, state.measured ? measuredText(measure(all, from, to), zoomTo) : null);
    request();
  };
  const timeAt = (share) => view.from + share * (view.to - view.from);
  const click = (event) => {
    const area = tracks.getBoundingClientRect();
    const found = pick(rows, view, area.width, event.clientX - area.left, event.clientY - area.top);
    state.picked = null;
    if (found?.row.shows === "lost" && found.box.extra && owner.onGap(found)) return;
    if (found?.row.shows === "lost") {
      measureTime(found.box.start, found.box.end);
      return;
    }
    state.measured = null;
    state.picked = found;
    replace(measured, found ? tip(found) : null);
    request();
  };
  const finder = search({
    onFound: (found) => {
      state.found = found;
      request();
    },
    onGo: ({ track, boxes, index }) => {
      const row = rows.find((one) => one.tracks.includes(track));
      const from = boxes.start[index];
      const length = boxes.end[index] - from;
      const width = Math.max(length * 4, Math.min(view.to - view.from, length * 60));
      view.show(from + length / 2 - width / 2, width);
      const target = row && pick([row], view, 1000, ((from + length / 2 - view.from) / (view.to - view.from)) * 1000, row.y);
      state.picked = target;
      if (row) grid.scrollTop = Math.max(0, Math.min(row.y - 60, grid.scrollHeight));
      replace(measured, target ? tip(target) : null);
    },
  });
  const letGo = () => {
    const had = state.measured || state.picked || finder.isActive() || owner.gap() || owner.cause();
    Object.assign(state, { measured: null, picked: null });
    replace(measured);
    if (finder.isActive()) finder.clear();
    owner.letGo();
    if (!had) view.show(view.first, view.last - view.first);
    request();
  };
  const whole = () => {
    const [from, to] = owner.first();
    if (view.isAt(from, to)) view.show(view.first, view.last - view.first);
    else show(from, to, 0);
  };
  const zoomIn = () => view.zoom(ZOOM);
  const zoomOut = () => view.zoom(1 / ZOOM);
  const left = () => view.move(-MOVE);
  const right = () => view.move(MOVE);
  const focusSearch = () => {
    finder.input.focus();
    finder.input.select();
  };
  const zoomToMeasured = () => state.measured && show(state.measured.from, state.measured.to, 0);
  const keys = new Map([
    ...["+", "=", "w"].map((key) => [key, zoomIn]),
    ...["-", "s"].map((key) => [key, zoomOut]),
    ...["a", "ArrowLeft"].map((key) => [key, left]),
    ...["d", "ArrowRight"].map((key) => [key, right]),
    ["0", whole],
    ["Home", whole],
    ["/", focusSearch],
    ["z", zoomToMeasured],
    ["Escape", letGo],
    ...owner.keys,
  ]);

  const button = (text, title, onclick) => el("button", { type: "button", title, "aria-label": title, onclick }, text);
  const colors = el(
    "select",
    {
      id: "colors",
      "aria-label": "Color of activities",
      onchange: (event) => {
        state.byName = event.target.value === "name";
        request();
      },
    },
    el("option", { value: "kind" }, "color by kind"),
    el("option", { value: "name" }, "color by name"),
  );
  const title = el("h2", { id: "timeline-title" }, owner.title);
  const about = el("p", { class: "quiet", id: "timeline-about" });
  const section = el(
    "section",
    { id: "timeline", "aria-labelledby": "timeline-title" },
    el("div", { class: "title" }, title, about),
    el(
      "div",
      { class: "tools" },
      el("div", { class: "theme" }, finder.input, colors),
      finder.said,
      el(
        "div",
        { class: "bar" },
        range,
        owner.controls.map(([text, name, action]) => button(text, name, action)),
        button("+", "Zoom in", zoomIn),
        button("−", "Zoom out", zoomOut),
        button("All", "Show all of the timeline", () => view.show(view.first, view.last - view.first)),
      ),
    ),
    finder.list,
    regimeButtons(view),
    el("div", { class: "above" }, el("div", {}, "lost time"), parts.overview),
    el("div", { class: "above" }, el("div", {}), parts.ruler),
    grid,
    keysHelp(owner.keysHelp ?? []),
    measured,
    floating,
  );

  const start = () => {
    drawStrip = overview(view, parts.overview);
    arrange();
    grid.style.height = `${Math.min(HIGHEST, heightOf(rows) + 2)}px`;
    onGestures(tracks, view, {
      measure: (from, to) => measureTime(timeAt(Math.min(from, to)), timeAt(Math.max(from, to))),
      click,
    });
    hover(tracks, floating, {
      at: (x, y) => pick(rows, view, tracks.clientWidth, x, y),
      onChange: (found) => {
        state.hovered = found;
        drawTop();
      },
    });
    onKeys(keys, ["ArrowLeft", "ArrowRight", "Home"]);
    onTheme(request);
    new ResizeObserver(request).observe(tracks);
    grid.addEventListener("scroll", request, { passive: true });
    addEventListener("beforeprint", draw);
    const [from, to] = owner.first();
    show(from, to, 0);
    draw();
    warmUp();
  };
  return { section, start, show, view, request, measureTime, parts: { title, about, grid } };
}

function heightOf(rows) {
  const last = rows.at(-1);
  return last ? last.y + last.height + 6 : 20;
}

// The context of a canvas of this size, empty, in which a unit is a CSS pixel.
function prepare(canvas, width, height) {
  const ratio = devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    Object.assign(canvas, { width: w, height: h });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `11px ${font()}`;
  return context;
}

// Shows what is said of a box while the pointer is over it.
function hover(tracks, floating, { at, onChange }) {
  let shown = null;
  const set = (found, event) => {
    if (found?.box.start !== shown?.box.start || found?.row !== shown?.row) {
      replace(floating, found ? tip(found) : null);
      onChange(found);
    }
    shown = found;
    floating.hidden = !found;
    if (!found) return;
    const { width, height } = floating.getBoundingClientRect();
    const below = event.clientY + 18 + height < innerHeight;
    floating.style.left = `${Math.max(4, Math.min(event.clientX + 12, document.documentElement.clientWidth - width - 8))}px`;
    floating.style.top = `${below ? event.clientY + 18 : event.clientY - height - 12}px`;
  };
  tracks.addEventListener("pointermove", (event) => {
    const area = tracks.getBoundingClientRect();
    set(event.buttons ? null : at(event.clientX - area.left, event.clientY - area.top), event);
  });
  tracks.addEventListener("pointerleave", (event) => set(null, event));
}

function keysHelp(more) {
  const key = (name) => el("kbd", {}, name);
  return el(
    "p",
    { class: "quiet keys", id: "timeline-keys" },
    [
      "Wheel, two fingers, ",
      key("+"),
      " ",
      key("−"),
      " zoom; drag: measure; ",
      key("Shift"),
      " and drag, or ",
      key("a"),
      " ",
      key("d"),
      " move; ",
    ],
    more.flatMap(([names, text]) => [...names.flatMap((name) => [key(name), " "]), `${text}; `]),
    [key("0"), " this step, then all; ", key("/"), " search; ", key("z"), " zoom to what is measured; ", key("Esc"), " let go."],
  );
}
