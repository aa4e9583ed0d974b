/** The form for a spot: board, pot, stacks, ranges, bet sizes, rake, accuracy. */

import { get, post } from "./api.js";
import { card, splitCards } from "./cards.js";
import { debounced, fill, h, labelled, problem, select } from "./dom.js";
import { MenuTable } from "./menu.js";
import { duration, size } from "./numbers.js";
import { picker } from "./picker.js";
import { RangeEditor } from "./range.js";
import { go, note } from "./router.js";

const LONGEST = 6000; // characters that an address may have
/** @type {Record<string, string>} */
const DEFAULTS = { board: "Ks7h2d3c8d", pot: "50", stack: "100", oop: "QQ-22, AJs+, KQs, JTs, T9s", ip: "AA, AK, KQ, 77, A5s-A2s, QJs", menu: "50%, 100%, a | 60%, a", target: "0.3", seconds: "3600", bits: "32", betting: "no-limit", deck: "full", rake_percent: "0", rake_cap: "0", big_blind: "0" };
const ALWAYS = ["board", "pot", "stack", "oop", "ip", "menu", "target"];
/** @type {[string, string][]} */
const BETTING = [["no-limit", "no limit"], ["pot-limit", "pot limit"], ["fixed-limit", "fixed limit"]];

export class SpotForm {
  /** @type {Record<string, HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>} */
  fields = {};
  #ready = false;
  #asked = 0;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.board = h("div");
    this.errors = h("div");
    this.forecast = h("p", { class: "forecast", role: "status" });
    const changed = debounced(() => this.#changed(), 350);
    this.ranges = {
      oop: new RangeEditor("Range out of position", "#d9a441", changed),
      ip: new RangeEditor("Range in position", "#4aa3c7", changed),
    };
    const text = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) => (this.fields[name] = h("input", { type: "text", spellcheck: "false", autocomplete: "off", name, oninput: changed, ...more }));
    const choice = (/** @type {string} */ name, /** @type {[string, string][]} */ options) => (this.fields[name] = select(options, DEFAULTS[name], { name, onchange: changed }));
    const lines = (/** @type {string} */ name, /** @type {string} */ placeholder) => (this.fields[name] = h("textarea", { rows: 2, name, spellcheck: "false", placeholder, oninput: changed }));
    const number = { inputmode: "decimal" };
    this.menu = new MenuTable((menu) => {
      this.fields.menu.value = menu;
      this.#changed();
    });
    this.element = h(
      "form",
      { class: "stack", onsubmit: (/** @type {Event} */ event) => void this.#start(event) },
      h("div", { class: "card stack" }, h("h2", {}, "Board"), this.board),
      h(
        "div",
        { class: "card stack" },
        h("div", { class: "columns" }, labelled("Pot", text("pot", number)), labelled("Stack out of position", text("stack", number)), labelled("Stack in position", text("stack_ip", number), "empty = same stack"), labelled("Rake (%)", text("rake_percent", number)), labelled("Rake cap", text("rake_cap", number), "0 = none"), labelled("Big blind", text("big_blind", number), "sets the minimum bet; 0 = one chip")),
        h("div", { class: "columns" }, labelled("Betting", choice("betting", BETTING)), labelled("Deck", choice("deck", [["full", "52 cards"], ["short", "36 cards, short deck"]])), labelled("Fixed-limit bet sizes", text("bet_sizes"), "one per street, such as 10, 20; empty = default")),
        labelled("Bet sizes", text("menu", { oninput: debounced(() => this.#menuTyped(), 350) }), "bets | raises / next street, such as 50%, 100%, a | 60%, a; empty = default"),
        this.menu.element,
        h("details", { class: "lines" }, h("summary", {}, "Add or remove lines"), h("div", { class: "columns" }, labelled("Add", lines("added", "b77"), "one line of play per row, such as b77 or kb120c/b300"), labelled("Remove", lines("removed", "b900")))),
      ),
      h("div", { class: "card ranges" }, this.ranges.oop.element, this.ranges.ip.element),
      h(
        "div",
        { class: "card stack" },
        h("div", { class: "columns" }, labelled("Target exploitability (% of pot)", text("target", number)), labelled("Time limit (s)", text("seconds", number)), labelled("Precision", choice("bits", [["32", "32 bits"], ["16", "16 bits (half the memory)"]])), labelled("Name", text("name", { maxlength: 60 }))),
        h("details", {}, h("summary", {}, "Node locks"), labelled("One lock per row", lines("locks", "b10: KK = f 25 c 75"), "LINE: HANDS = ACTIONS with %")),
        this.forecast,
        this.errors,
        h("button", { type: "submit", class: "main" }, "Solve"),
      ),
    );
    place.append(this.element);
  }

  /** Fill the form from an address. @param {URLSearchParams} query */
  async show(query) {
    const asked = ++this.#asked;
    this.#ready = false;
    try {
      const given = await prefilled(query);
      if (asked !== this.#asked) return;
      for (const [name, field] of Object.entries(this.fields)) field.value = given[name] ?? DEFAULTS[name] ?? "";
      for (const name of ["added", "locks"]) openAround(this.fields[name]);
      this.#pick(splitCards(given.board ?? DEFAULTS.board));
      this.ranges.oop.draw();
      this.ranges.ip.draw();
      await Promise.all([this.ranges.oop.set(given.oop ?? DEFAULTS.oop), this.ranges.ip.set(given.ip ?? DEFAULTS.ip), this.#showMenu()]);
      this.#ready = true;
      await this.#estimate();
    } catch (error) {
      fill(this.errors, problem(error));
    }
  }

  /** @param {string[]} cards */
  #pick(cards) {
    this.cards = cards;
    const change = (/** @type {string[]} */ chosen) => {
      this.#pick(chosen);
      void this.#showMenu();
      this.#changed();
    };
    const open = this.board.querySelector("details")?.open ?? false;
    const shown = h("summary", { "data-key": "board" }, cards.length ? cards.map((code) => card(code, "small")) : "no cards", h("small", {}, " change"));
    fill(this.board, h("details", { open }, shown, picker({ label: "Board", chosen: cards, most: 5, change })));
  }

  #menuTyped() {
    void this.#showMenu();
    this.#changed();
  }

  /** Show the bet sizes by street, too. */
  async #showMenu() {
    await this.menu.set(this.fields.menu.value, this.cards?.length ?? 0);
  }

  /** @returns {Record<string, string>} */
  #texts() {
    const fields = Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value.trim()]));
    return { board: (this.cards ?? []).join(""), oop: this.ranges.oop.value, ip: this.ranges.ip.value, ...fields };
  }

  #changed() {
    if (!this.#ready) return;
    const texts = this.#texts();
    if (Object.values(texts).join("").length < LONGEST) {
      note(Object.fromEntries(Object.entries(texts).filter(([name, value]) => value !== "" && (value !== DEFAULTS[name] || ALWAYS.includes(name)))));
    }
    void this.#estimate();
  }

  /** @returns {Api.NewSolve} */
  asked() {
    return solveOf(this.#texts());
  }

  async #estimate() {
    const asked = ++this.#asked;
    try {
      /** @type {Api.Forecasted} */
      const estimate = await post("/forecast", this.asked());
      if (asked !== this.#asked) return;
      const fits = estimate.fits ? "" : ` Too large: only ${size(estimate.available)} of memory are free.`;
      this.forecast.textContent = `Estimate: ${estimate.decisions.toLocaleString("en-GB")} nodes, ${size(estimate.bytes)} of memory, ${estimate.seconds < 1 ? "" : "about "}${duration(estimate.seconds)}.${fits}`;
      fill(this.errors);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.forecast.textContent = "";
      fill(this.errors, problem(error));
    }
  }

  /** @param {Event} event */
  async #start(event) {
    event.preventDefault();
    try {
      const solve = await post("/solves", this.asked());
      go("solve", { id: solve.id });
    } catch (error) {
      fill(this.errors, problem(error));
    }
  }
}

/** Open the collapsed section of a field that has a value. @param {HTMLElement & {value: string}} field */
function openAround(field) {
  const around = field.closest("details");
  if (around && field.value) around.open = true;
}

/** @param {string} text */
const words = (text) => text.split(/[\s,;]+/).filter(Boolean);

/**
 * @param {Record<string, string>} texts
 * @returns {Api.NewSolve}
 */
function solveOf(texts) {
  const stacks = words(`${texts.stack} ${texts.stack_ip}`).map(Number);
  return {
    spot: {
      board: texts.board,
      pot: Number(texts.pot),
      stack: stacks.length === 1 ? stacks[0] : stacks,
      oop: texts.oop,
      ip: texts.ip,
      menu: texts.menu,
      rake_percent: Number(texts.rake_percent),
      rake_cap: Number(texts.rake_cap),
      betting: /** @type {Api.Spot["betting"]} */ (texts.betting),
      deck: /** @type {Api.Spot["deck"]} */ (texts.deck),
      big_blind: Number(texts.big_blind),
      bet_sizes: words(texts.bet_sizes).map(Number),
      added: words(texts.added),
      removed: words(texts.removed),
    },
    name: texts.name,
    target: Number(texts.target) / 100,
    seconds: Number(texts.seconds),
    bits: texts.bits === "16" ? 16 : 32,
    locks: texts.locks.split("\n").map((lock) => lock.trim()).filter(Boolean),
  };
}

/**
 * Return the fields that an address names: a spot, a decision of a strategy, or another solve to copy.
 * @param {URLSearchParams} query
 * @returns {Promise<Record<string, string>>}
 */
async function prefilled(query) {
  const from = query.get("from");
  if (from) {
    /** @type {Api.SolveState} */
    const { asked } = await get(`/solves/${encodeURIComponent(from)}`);
    const more = { target: String(100 * (asked.target ?? 0.003)), seconds: String(asked.seconds ?? 3600), locks: (asked.locks ?? []).join("\n"), name: asked.name ?? "", bits: String(asked.bits ?? 32) };
    return { ...textsOf(asked.spot), ...more };
  }
  if (query.has("strategy")) {
    return textsOf(await post("/spot", { strategy: query.get("strategy"), line: query.get("line") ?? "", board: query.get("board") ?? "" }));
  }
  const given = Object.fromEntries(query);
  const [stack, other] = words(given.stack ?? "");
  return other ? { ...given, stack, stack_ip: other } : given;
}

/** @param {Api.Spot} spot @returns {Record<string, string>} */
function textsOf(spot) {
  const [stack, other = ""] = [spot.stack].flat().map(String);
  const texts = Object.entries(spot).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]);
  return { ...Object.fromEntries(texts), stack, stack_ip: other === stack ? "" : other };
}
