/** Settings of the pages, stored in this browser. */

import { h, labelled, select } from "./dom.js";

/**
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"usual" | "colour-blind"} palette
 * @property {"two" | "four"} deck
 * @property {"yes" | "no"} deal  whether the next hand is dealt automatically
 */

const KEY = "riverboat";
/** @type {Settings} */
const DEFAULTS = { theme: "system", palette: "usual", deck: "four", deal: "no" };
/** @type {[keyof Settings, string, [string, string][]][]} */
const CHOICES = [
  ["theme", "Theme", [["system", "same as system"], ["light", "light"], ["dark", "dark"]]],
  ["palette", "Action colours", [["usual", "standard"], ["colour-blind", "colour-blind friendly"]]],
  ["deck", "Deck", [["four", "four colours"], ["two", "two colours"]]],
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
  openDialog("Settings", [h("div", { class: "stack" }, fields)]);
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
