// What all charts share. Charts are drawn by Apache ECharts, and again when the theme or the width of the page changes.
import { cssVariable, onTheme } from "./theme.js";

const { echarts } = globalThis;

// Draws the ECharts option that `option()` returns into an element.
export function chart(element, option) {
  const instance = echarts.init(element, null, { renderer: "canvas" });
  const draw = () => instance.setOption(option(), { notMerge: true, lazyUpdate: false });
  onTheme(draw);
  new ResizeObserver(() => instance.resize()).observe(element);
  addEventListener("beforeprint", () => instance.resize());
  draw();
  return { instance, draw };
}

export function font() {
  return getComputedStyle(document.body).fontFamily;
}

export function tooltip(formatter) {
  return {
    trigger: "item",
    confine: true,
    transitionDuration: 0,
    backgroundColor: cssVariable("--paper"),
    borderColor: cssVariable("--rule"),
    textStyle: { color: cssVariable("--ink"), fontFamily: "inherit", fontSize: 13 },
    formatter,
  };
}

export function axis() {
  return {
    axisLine: { lineStyle: { color: cssVariable("--rule") } },
    axisTick: { show: false },
    axisLabel: { color: cssVariable("--quiet"), fontSize: 12, fontFamily: font() },
    splitLine: { lineStyle: { color: cssVariable("--rule") } },
  };
}
