/** How pages look: kept in this browser. */

import { h, labelled, select } from "./dom.js";

/**
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"usual" | "colour-blind"} palette
 * @property {"two" | "four"} deck
 * @property {"yes" | "no"} deal  whether the next hand is dealt by itself
 */

const KEY = "riverboat";
/** @type {Settings} */
const USUAL = { theme: "system", palette: "usual", deck: "four", deal: "no" };
/** @type {[keyof Settings, string, [string, string][]][]} */
const CHOICES = [
  ["theme", "Theme", [["system", "as the system"], ["light", "light"], ["dark", "dark"]]],
  ["palette", "Action colours", [["usual", "usual"], ["colour-blind", "for colour-blind people"]]],
  ["deck", "Deck", [["four", "four colours"], ["two", "two colours"]]],
  ["deal", "Next hand", [["no", "when I say so"], ["yes", "by itself"]]],
];

/** @returns {Settings} */
function read() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...USUAL };
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
    // a browser that keeps nothing forgets it with the page
  }
  apply();
  for (const listener of listeners) listener();
}

/** Have the document look as chosen. */
export function apply() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = settings.theme === "system" ? (dark ? "dark" : "light") : settings.theme;
  root.dataset.deck = settings.deck;
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);

/** Go from light to dark and back. */
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
 * Show something over the page; Escape closes it.
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
