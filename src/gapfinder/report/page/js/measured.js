// What is said of a measured time.
import { el, table } from "./dom.js";
import { swatch } from "./theme.js";
import { count, duration, percent } from "./units.js";

const LISTED = 6; // causes; the rest is told as one

export function measuredText({ from, to, gpus, activities, name, nameNs, isExact }, zoomTo) {
  const length = to - from;
  const about = isExact ? "" : "about ";
  const causes = [...new Set(gpus.flatMap(({ lost }) => [...lost.keys()]))].slice(0, LISTED);
  const cell = (ns) => (ns > 0.5 ? `${about}${duration(ns)}, ${percent(ns / length)}` : "");
  const rest = ({ lost }) => [...lost].reduce((sum, [cause, ns]) => sum + (causes.includes(cause) ? 0 : ns), 0);
  const others = gpus.some((gpu) => rest(gpu) > 0.5);
  const rows = [
    ["compute", ({ compute }) => compute],
    ...causes.map((cause) => [cause, ({ lost }) => lost.get(cause) ?? 0]),
    ...(others ? [["other causes", rest]] : []),
  ].map(([what, ns]) => [[swatch(what), what], ...gpus.map((gpu) => cell(ns(gpu)))]);
  const columns = [{ head: "spent in" }, ...gpus.map(({ label }) => ({ head: label }))];
  const ran = activities ? `${count(activities, "activity", "activities")} ran` : "Nothing ran";
  const most = name ? `, most of the time ${name} (${duration(nameNs)})` : "";
  return [
    el("h3", {}, `${duration(length)} selected`),
    el("div", { class: "scroll" }, table({ columns, rows })),
    el("p", { class: "after" }, `${ran}${most}. `),
    gpus
      .filter(({ before, after }) => before && after)
      .map(({ label, before, after }) => el("p", {}, `${label}: from the end of ${before} to the start of ${after}.`)),
    el("div", { class: "bar start" }, el("button", { type: "button", onclick: zoomTo }, "Zoom to it")),
  ];
}
