/** Edit a bet menu by street and player; kept in step with its text. */

import { post } from "./api.js";
import { debounced, fill, h, labelled, problem } from "./dom.js";

const STREETS = ["flop", "turn", "river"];
/** @type {["oop" | "ip" | "donk" | "cap" | "cap_each", string, string][]} */
const COLUMNS = [
  ["oop", "Out of position", "first bets | raises: 50%, 100%, a | 3x"],
  ["ip", "In position", "empty = as out of position"],
  ["donk", "Donk bets", "empty = as first bets"],
  ["cap", "Max bets and raises", "empty = no limit"],
  ["cap_each", "Max per player", "empty = no limit"],
];
/** @type {["add" | "near" | "force" | "force_called", string][]} */
const RULES = [
  ["add", "Add all-in up to"],
  ["near", "Merge sizes closer than"],
  ["force", "All-in if a bet leaves under"],
  ["force_called", "All-in if a call leaves under"],
];

export class MenuTable {
  /** @type {Record<string, HTMLInputElement>[]} */
  #rows = [];
  /** @type {Record<string, HTMLInputElement>} */
  #rules = {};
  #asked = 0;
  #count = 0;

  /** @param {(text: string) => void} change  called with the menu text after an edit */
  constructor(change) {
    this.change = change;
    this.errors = h("div");
    this.table = h("div", { class: "stack" });
    this.element = h("details", { class: "menu" }, h("summary", {}, "Sizes by street and player"), this.table, this.errors);
    this.typed = debounced(() => void this.#ask({ streets: this.#sizes(), rules: this.#shares() }), 350);
  }

  /** Show a menu. @param {string} text @param {number} cards  number of board cards of the spot */
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
      h("fieldset", {}, h("legend", {}, "All streets (% of pot)"), h("div", { class: "columns" }, RULES.map(([name, label]) => labelled(label, this.#rules[name], "0 = off")))),
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
      const menu = await post("/menu", asked);
      if (number !== this.#asked) return;
      fill(this.errors);
      if (asked.streets) this.change(menu.text);
      else this.#show(menu);
    } catch (error) {
      if (number === this.#asked && asked.streets) fill(this.errors, problem(error)); // the estimate reports errors of the text
    }
  }

  /** @param {Api.MenuFound} menu */
  #show(menu) {
    this.#rows.forEach((row, place) => {
      const street = menu.streets[Math.min(place, menu.streets.length - 1)];
      for (const [name] of COLUMNS) row[name].value = String(street[name] ?? "");
    });
    for (const [name] of RULES) this.#rules[name].value = String(menu.rules[name]);
  }
}
