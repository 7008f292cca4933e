// What all charts share: Apache ECharts, made when the page is, drawn anew with the theme and the width of the page.
import { onTheme, variable } from "./theme.js";

const { echarts } = globalThis;

// Draws into an element whatever `option()` says.
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
    backgroundColor: variable("--paper"),
    borderColor: variable("--rule"),
    textStyle: { color: variable("--ink"), fontFamily: "inherit", fontSize: 13 },
    formatter,
  };
}

export function axis() {
  return {
    axisLine: { lineStyle: { color: variable("--rule") } },
    axisTick: { show: false },
    axisLabel: { color: variable("--quiet"), fontSize: 12, fontFamily: font() },
    splitLine: { lineStyle: { color: variable("--rule") } },
  };
}
