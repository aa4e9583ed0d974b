/** A spot that is set up: board, pot, stacks, ranges, menu, rake, accuracy. */

import { get, post } from "./api.js";
import { card, splitCards } from "./cards.js";
import { debounced, fill, h, labelled, problem, select } from "./dom.js";
import { duration, size } from "./numbers.js";
import { picker } from "./picker.js";
import { RangeEditor } from "./range.js";
import { go, note } from "./router.js";

const LONGEST = 6000; // characters of an address
/** @type {Record<string, string>} */
const USUAL = { board: "Ks7h2d3c8d", pot: "50", stack: "100", oop: "QQ-22, AJs+, KQs, JTs, T9s", ip: "AA, AK, KQ, 77, A5s-A2s, QJs", menu: "50%, 100%, a | 60%, a", target: "0.3" };

export class SpotForm {
  /** @type {Record<string, HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>} */
  fields = {};
  #ready = false;
  #asked = 0;
  /** What a spot has and the form does not show. @type {Partial<Api.Spot>} */
  #rest = {};

  /** @param {HTMLElement} place */
  constructor(place) {
    this.board = h("div");
    this.wrong = h("div");
    this.forecast = h("p", { class: "forecast", role: "status" });
    const changed = debounced(() => this.#changed(), 350);
    this.ranges = {
      oop: new RangeEditor("Range out of position", "#d9a441", changed),
      ip: new RangeEditor("Range in position", "#4aa3c7", changed),
    };
    const text = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) => (this.fields[name] = h("input", { type: "text", spellcheck: "false", autocomplete: "off", name, oninput: changed, ...more }));
    const number = { inputmode: "decimal" };
    this.fields.locks = h("textarea", { rows: 2, name: "locks", spellcheck: "false", placeholder: "b10: KK = f 25 c 75", oninput: changed });
    this.fields.bits = select([["32", "32 bits"], ["16", "16 bits: half the memory"]], "32", { onchange: changed });
    this.element = h(
      "form",
      { class: "stack", onsubmit: (/** @type {Event} */ event) => void this.#start(event) },
      h("div", { class: "card stack" }, h("h2", {}, "Board"), this.board),
      h(
        "div",
        { class: "card stack" },
        h("div", { class: "columns" }, labelled("Pot", text("pot", number)), labelled("Stack", text("stack", number), "one number, or two: 900, 1200"), labelled("Rake, per cent", text("rake_percent", number)), labelled("Most chips of rake", text("rake_cap", number), "0 is no cap"), labelled("Big blind", text("big_blind", number), "0: a least bet of one chip")),
        labelled("Menu of bets", text("menu"), "first bets | raises / next street: 50%, 100%, a | 60%, a"),
      ),
      h("div", { class: "card ranges" }, this.ranges.oop.element, this.ranges.ip.element),
      h(
        "div",
        { class: "card stack" },
        h("div", { class: "columns" }, labelled("Exploitable by at most, per cent of the pot", text("target", number)), labelled("Most seconds", text("seconds", number)), labelled("Numbers", this.fields.bits), labelled("Name", text("name", { maxlength: 60 }))),
        h("details", {}, h("summary", {}, "Locks"), labelled("A lock a line", this.fields.locks, "LINE: HANDS = SHARES")),
        this.forecast,
        this.wrong,
        h("button", { type: "submit", class: "main" }, "Solve"),
      ),
    );
    place.append(this.element);
  }

  /** Show what an address says. @param {URLSearchParams} query */
  async show(query) {
    const asked = ++this.#asked;
    this.#ready = false;
    try {
      const { texts: given, rest } = await prefilled(query);
      if (asked !== this.#asked) return;
      this.#rest = rest;
      for (const [name, field] of Object.entries(this.fields)) field.value = given[name] ?? USUAL[name] ?? (name === "seconds" ? "3600" : name === "bits" ? "32" : name.startsWith("rake") || name === "big_blind" ? "0" : "");
      this.#pick(splitCards(given.board ?? USUAL.board));
      this.ranges.oop.draw();
      this.ranges.ip.draw();
      await Promise.all([this.ranges.oop.set(given.oop ?? USUAL.oop), this.ranges.ip.set(given.ip ?? USUAL.ip)]);
      this.#ready = true;
      await this.#foretell();
    } catch (error) {
      fill(this.wrong, problem(error));
    }
  }

  /** @param {string[]} cards */
  #pick(cards) {
    this.cards = cards;
    const change = (/** @type {string[]} */ chosen) => {
      this.#pick(chosen);
      this.#changed();
    };
    const open = this.board.querySelector("details")?.open ?? false;
    const shown = h("summary", { "data-key": "board" }, cards.length ? cards.map((code) => card(code, "small")) : "no cards", h("small", {}, " change"));
    fill(this.board, h("details", { open }, shown, picker({ label: "Board", chosen: cards, most: 5, change })));
  }

  /** @returns {Record<string, string>} */
  #texts() {
    const found = Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.value.trim()]));
    return { board: (this.cards ?? []).join(""), oop: this.ranges.oop.value, ip: this.ranges.ip.value, ...found };
  }

  #changed() {
    if (!this.#ready) return;
    const texts = this.#texts();
    if (Object.values(texts).join("").length < LONGEST) {
      note(Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== "0" && value !== "")));
    }
    void this.#foretell();
  }

  /** @returns {Api.NewSolve} */
  asked() {
    const solve = solveOf(this.#texts());
    return { ...solve, spot: { ...this.#rest, ...solve.spot } };
  }

  async #foretell() {
    const asked = ++this.#asked;
    try {
      /** @type {Api.Forecasted} */
      const found = await post("/forecast", this.asked());
      if (asked !== this.#asked) return;
      const fits = found.fits ? "" : ` It does not fit: ${size(found.available)} are free.`;
      this.forecast.textContent = `${found.decisions.toLocaleString("en-GB")} nodes, ${size(found.bytes)} of memory, about ${duration(found.seconds)}.${fits}`;
      fill(this.wrong);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.forecast.textContent = "";
      fill(this.wrong, problem(error));
    }
  }

  /** @param {Event} event */
  async #start(event) {
    event.preventDefault();
    try {
      const solve = await post("/solves", this.asked());
      go("solve", { id: solve.id });
    } catch (error) {
      fill(this.wrong, problem(error));
    }
  }
}

/**
 * @param {Record<string, string>} texts
 * @returns {Api.NewSolve}
 */
function solveOf(texts) {
  const stacks = texts.stack.split(/[ ,;]+/).filter(Boolean).map(Number);
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
      big_blind: Number(texts.big_blind),
    },
    name: texts.name,
    target: Number(texts.target) / 100,
    seconds: Number(texts.seconds),
    bits: texts.bits === "16" ? 16 : 32,
    locks: texts.locks.split("\n").map((each) => each.trim()).filter(Boolean),
  };
}

/**
 * What an address asks for: a spot of its own, one from a strategy, or that of another solve.
 * @param {URLSearchParams} query
 * @returns {Promise<{texts: Record<string, string>, rest: Partial<Api.Spot>}>}
 */
async function prefilled(query) {
  const from = query.get("from");
  if (from) {
    /** @type {Api.SolveState} */
    const { asked } = await get(`/solves/${encodeURIComponent(from)}`);
    const more = { target: String(100 * (asked.target ?? 0.003)), locks: (asked.locks ?? []).join("\n"), name: asked.name ?? "", bits: String(asked.bits ?? 32) };
    return { texts: { ...textsOf(asked.spot), ...more }, rest: asked.spot };
  }
  if (query.has("strategy")) {
    /** @type {Api.Spot} */
    const spot = await post("/spot", { strategy: query.get("strategy"), line: query.get("line") ?? "", board: query.get("board") ?? "" });
    return { texts: textsOf(spot), rest: spot };
  }
  return { texts: Object.fromEntries(query), rest: {} };
}

/** @param {Api.Spot} spot @returns {Record<string, string>} */
function textsOf(spot) {
  const plain = Object.entries(spot).filter(([, value]) => typeof value !== "object");
  return { ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])), stack: [spot.stack].flat().join(", ") };
}
