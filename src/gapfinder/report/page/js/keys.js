// Keys that work wherever the focus is, but where text is typed or a control has the key for itself.
const OWN = "input, select, textarea, [contenteditable]";

// `keys` has a function for each key. Those in `whereFree` are left to a slider, a table that scrolls, and the page itself.
export function onKeys(keys, whereFree) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keys.has(event.key)) return;
    if (event.target instanceof Element && event.target.closest(OWN) && event.key !== "Escape") return;
    if (whereFree.includes(event.key) && !(event.target instanceof Element && event.target.closest("#tracks"))) return;
    event.preventDefault();
    keys.get(event.key)();
  });
}
