/** A menu of bets street by street and player by player; its text says the same. */

import { post } from "./api.js";
import { debounced, fill, h, labelled, problem } from "./dom.js";

const STREETS = ["flop", "turn", "river"];
/** @type {["oop" | "ip" | "donk" | "cap" | "cap_each", string, string][]} */
const COLUMNS = [
  ["oop", "Out of position", "first bets | raises: 50%, 100%, a | 3x"],
  ["ip", "In position", "empty: the same"],
  ["donk", "Donk bets", "empty: as else"],
  ["cap", "Most bets and raises", "empty: no cap"],
  ["cap_each", "Of each player", "empty: no cap"],
];
/** @type {["add" | "near" | "force" | "force_called", string][]} */
const RULES = [
  ["add", "Add all-in where it is at most"],
  ["near", "Merge sizes that are nearer than"],
  ["force", "All-in instead of bets that leave less than"],
  ["force_called", "The same, by the pot after a call"],
];

export class MenuTable {
  /** @type {Record<string, HTMLInputElement>[]} */
  #rows = [];
  /** @type {Record<string, HTMLInputElement>} */
  #rules = {};
  #asked = 0;
  #count = 0;

  /** @param {(text: string) => void} change  called with the text of what was typed here */
  constructor(change) {
    this.change = change;
    this.wrong = h("div");
    this.table = h("div", { class: "stack" });
    this.element = h("details", { class: "menu" }, h("summary", {}, "Sizes by street and player"), this.table, this.wrong);
    this.typed = debounced(() => void this.#ask({ streets: this.#sizes(), rules: this.#shares() }), 350);
  }

  /** Show a menu. @param {string} text @param {number} cards  on the board of the spot */
  async set(text, cards) {
    const count = Math.max(1, 6 - Math.max(3, cards));
    if (count !== this.#count) this.#draw(count);
    await this.#ask({ text });
  }

  /** @param {number} count */
  #draw(count) {
    this.#count = count;
    const input = (/** @type {string} */ name, /** @type {string} */ label) => h("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": label, "data-size": name, oninput: this.typed });
    this.#rows = STREETS.slice(3 - count).map((street) => Object.fromEntries(COLUMNS.map(([name, label]) => [name, input(`${street}-${name}`, `${street}, ${label.toLowerCase()}`)])));
    this.#rules = Object.fromEntries(RULES.map(([name, label]) => [name, input(name, label)]));
    fill(
      this.table,
      this.#rows.map((row, place) => h("fieldset", {}, h("legend", {}, STREETS[3 - count + place]), h("div", { class: "columns wide-first" }, COLUMNS.map(([name, label, hint]) => labelled(label, row[name], hint))))),
      h("fieldset", {}, h("legend", {}, "On all streets, per cent of the pot"), h("div", { class: "columns" }, RULES.map(([name, label]) => labelled(label, this.#rules[name], "0: not")))),
    );
  }

  /** @returns {Api.StreetSizes[]} */
  #sizes() {
    const number = (/** @type {string} */ text) => (text.trim() ? Number(text) : null);
    return this.#rows.map((row) => ({ oop: row.oop.value, ip: row.ip.value, donk: row.donk.value, cap: number(row.cap.value), cap_each: number(row.cap_each.value) }));
  }

  /** @returns {Api.MenuRules} */
  #shares() {
    return { add: Number(this.#rules.add.value), near: Number(this.#rules.near.value), force: Number(this.#rules.force.value), force_called: Number(this.#rules.force_called.value) };
  }

  /** @param {Api.MenuAsked} asked */
  async #ask(asked) {
    const number = ++this.#asked;
    try {
      /** @type {Api.MenuFound} */
      const found = await post("/menu", asked);
      if (number !== this.#asked) return;
      fill(this.wrong);
      if (asked.streets) this.change(found.text);
      else this.#show(found);
    } catch (error) {
      if (number === this.#asked && asked.streets) fill(this.wrong, problem(error)); // a text is told of by the forecast
    }
  }

  /** @param {Api.MenuFound} found */
  #show(found) {
    this.#rows.forEach((row, place) => {
      const street = found.streets[Math.min(place, found.streets.length - 1)];
      for (const [name] of COLUMNS) row[name].value = String(street[name] ?? "");
    });
    for (const [name] of RULES) this.#rules[name].value = String(found.rules[name]);
  }
}
