/** The script that index.html loads: shortcuts, settings, router. */

import { h, isTyping, keepPresses } from "./dom.js";
import { go, page, redraw, start } from "./router.js";
import { apply, onSettings, openDialog, openSettings, switchTheme } from "./settings.js";

/** @type {[string, string][]} */
const KEYS = [
  ["?", "show keyboard shortcuts"],
  ["Shift+P  Shift+S  Shift+V  Shift+M", "open Play, Study, Solve, Matches"],
  ["Shift+T", "switch between light and dark theme"],
  ["Escape", "close the dialog"],
];

function openHelp() {
  const rows = [...(page()?.keys ?? []), ...KEYS].map(([keys, meaning]) =>
    h("tr", {}, h("th", { scope: "row" }, keys.split("  ").map((key) => h("kbd", {}, key))), h("td", {}, meaning)),
  );
  openDialog("Keyboard shortcuts", [h("table", { class: "keys" }, h("tbody", {}, rows))]);
}

/** @type {Record<string, () => void>} */
const GLOBAL = {
  "?": openHelp,
  P: () => go("play"),
  S: () => go("study"),
  V: () => go("solve"),
  M: () => go("matches"),
  T: switchTheme,
};

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || event.defaultPrevented) return;
  if (page()?.key?.(event)) event.preventDefault();
  else if (event.key in GLOBAL) {
    event.preventDefault();
    GLOBAL[event.key]();
  }
});
document.getElementById("open-settings")?.addEventListener("click", openSettings);
document.getElementById("open-help")?.addEventListener("click", openHelp);
apply();
onSettings(redraw);
keepPresses();
start();
