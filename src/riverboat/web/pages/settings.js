/** Settings of the pages, stored in this browser. */

import { h, labelled, select } from "./dom.js";

/**
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"usual" | "colour-blind"} palette
 * @property {"two" | "four"} deck
 * @property {"yes" | "no"} deal  whether the next hand is dealt automatically
 * @property {"bb" | "chips"} unit  of amounts at the table
 * @property {"0" | "0.5" | "1" | "2"} speed  of motion at the table
 * @property {"on" | "off"} sound
 * @property {string} sizes  own bet sizes, such as `40%, 12bb`
 */

const KEY = "riverboat";
/** @type {Settings} */
const DEFAULTS = { theme: "system", palette: "usual", deck: "four", deal: "no", unit: "bb", speed: "1", sound: "off", sizes: "" };
/** @type {[keyof Settings, string, [string, string][]][]} */
const CHOICES = [
  ["theme", "Theme", [["system", "same as system"], ["light", "light"], ["dark", "dark"]]],
  ["palette", "Action colours", [["usual", "standard"], ["colour-blind", "colour-blind friendly"]]],
  ["deck", "Deck", [["four", "four colours"], ["two", "two colours"]]],
  ["unit", "Amounts", [["bb", "big blinds"], ["chips", "chips"]]],
  ["speed", "Motion at the table", [["0", "none"], ["0.5", "slow"], ["1", "normal"], ["2", "fast"]]],
  ["sound", "Sound", [["off", "off"], ["on", "on"]]],
  ["deal", "Next hand", [["no", "deal on click"], ["yes", "deal automatically"]]],
];

/** @returns {Settings} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @type {Settings} */
export const settings = read();

/** @type {(() => void)[]} */
const listeners = [];

/** @param {() => void} listener */
export function onSettings(listener) {
  listeners.push(listener);
}

/**
 * @param {keyof Settings} name
 * @param {string} value
 */
export function choose(name, value) {
  Object.assign(settings, { [name]: value });
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser without storage loses the setting when the page is closed
  }
  apply();
  for (const listener of listeners) listener();
}

/** Apply theme and deck to the document. */
export function apply() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = settings.theme === "system" ? (dark ? "dark" : "light") : settings.theme;
  root.dataset.deck = settings.deck;
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);

/** Switch between light and dark theme. */
export function switchTheme() {
  choose("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

/** Show the settings. */
export function openSettings() {
  const fields = CHOICES.map(([name, label, options]) =>
    labelled(
      label,
      select(options, settings[name], {
        name,
        onchange: (/** @type {Event} */ event) => {
          if (event.target instanceof HTMLSelectElement) choose(name, event.target.value);
        },
      }),
    ),
  );
  const sizes = h("input", { type: "text", name: "sizes", value: settings.sizes, placeholder: "40%, 12bb, 2.2x", maxlength: 60, onchange: () => choose("sizes", sizes.value) });
  openDialog("Settings", [h("div", { class: "stack" }, fields, labelled("Own bet sizes", sizes, "Up to four, separated by commas"))]);
}

/**
 * Open a dialog; Escape closes it.
 * @param {string} title
 * @param {globalThis.Node[]} content
 */
export function openDialog(title, content) {
  const close = h("button", { type: "button", class: "plain", "aria-label": "Close" }, "✕");
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("div", { class: "row spread" }, h("h2", {}, title), close),
    content,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
