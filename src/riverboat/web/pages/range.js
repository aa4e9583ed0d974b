/** Range editor: paint on the matrix, or type. */

import { post } from "./api.js";
import { holesOf } from "./cards.js";
import { debounced, fill, h, problem } from "./dom.js";
import { CLASSES } from "./hands.js";
import { matrix } from "./matrix.js";
import { percent } from "./numbers.js";

/** @typedef {import("./matrix.js").Cell} Cell */

const FULL = 1000;

export class RangeEditor {
  /** @type {number[]} thousandths, one per hole pair */
  #weights = new Array(1326).fill(0);
  #stroke = FULL;
  #asked = 0;

  /**
   * @param {string} label
   * @param {string} colour
   * @param {() => void} change  called when the range changes
   */
  constructor(label, colour, change) {
    this.colour = colour;
    this.change = change;
    this.text = h("textarea", { rows: 3, "aria-label": `${label}: text`, spellcheck: "false", placeholder: "QQ+, AKs, A5s:0.5" });
    this.summary = h("small", {});
    this.errors = h("div");
    this.matrix = matrix(`${label}: paint`);
    this.matrix.setAttribute("paint", "");
    this.brush = h("input", { type: "range", min: 0, max: 100, step: 5, value: "100", "aria-label": `${label}: weight of the brush (%)` });
    const shown = h("output", {}, "100 %");
    this.brush.addEventListener("input", () => (shown.textContent = `${this.brush.value} %`));
    this.matrix.addEventListener("begin", (event) => this.#begin(detail(event)));
    this.matrix.addEventListener("paint", (event) => this.#paint(detail(event)));
    this.matrix.addEventListener("look", (event) => this.#look(detail(event)));
    this.settle = debounced(() => void this.#ask({ weights: this.#weights }), 250);
    this.text.addEventListener("input", debounced(() => void this.#ask({ text: this.text.value }), 400));
    this.element = h(
      "fieldset",
      { class: "range stack" },
      h("legend", {}, label),
      this.text,
      this.errors,
      h("div", { class: "row brush" }, h("span", {}, "Brush"), h("span", { class: "grow" }, this.brush), shown, this.#fill("All", FULL), this.#fill("Clear", 0)),
      this.matrix,
      this.summary,
    );
  }

  /** The range as text. */
  get value() {
    return this.text.value.trim();
  }

  /** @param {string} text */
  async set(text) {
    this.text.value = text;
    await this.#ask({ text });
  }

  /** Draw the cells; the matrix must be in the document. */
  draw() {
    this.matrix.cells = CLASSES.map((name) => this.#cell(name));
    const combos = this.#weights.reduce((sum, weight) => sum + weight, 0) / FULL;
    this.summary.textContent = `${combos.toFixed(combos % 1 ? 1 : 0)} combos, ${percent(combos / 1326, 1)} of all hands`;
  }

  /** @param {string} name @returns {Cell} */
  #cell(name) {
    const share = this.#share(name);
    return { segments: share > 0 ? [{ colour: this.colour, share }] : [], dim: share > 0 ? 1 : 0, words: percent(share), small: share > 0 && share < 0.995 ? String(Math.round(100 * share)) : "" };
  }

  /** @param {string} name */
  #share(name) {
    const holes = holesOf(name);
    return holes.reduce((sum, hole) => sum + this.#weights[hole], 0) / holes.length / FULL;
  }

  /** Begin a stroke; on a cell that has this weight already it erases. @param {string} name */
  #begin(name) {
    const weight = 10 * Number(this.brush.value);
    this.#stroke = Math.abs(this.#share(name) * FULL - weight) < 1 ? 0 : weight;
    this.painting = true;
    this.matrix.addEventListener("painted", () => (this.painting = false), { once: true });
  }

  /** @param {string} name */
  #paint(name) {
    if (!this.painting) {
      this.#begin(name); // a key press is a stroke of its own
      this.painting = false;
    }
    for (const hole of holesOf(name)) this.#weights[hole] = this.#stroke;
    this.#asked++; // ignore the answer to an earlier request: it lacks this stroke
    this.draw();
    this.settle();
  }

  /** @param {string} name */
  #look(name) {
    this.summary.textContent = `${name}: ${percent(this.#share(name))}`;
  }

  /** @param {string} words @param {number} weight */
  #fill(words, weight) {
    const paint = () => {
      this.#weights.fill(weight);
      this.#asked++;
      this.draw();
      this.settle();
    };
    return h("button", { type: "button", onclick: paint }, words);
  }

  /** @param {{text?: string, weights?: number[]}} given */
  async #ask(given) {
    const asked = ++this.#asked;
    try {
      /** @type {Api.RangeFound} */
      const range = await post("/range", given);
      if (asked !== this.#asked) return;
      this.#weights = range.weights;
      if (given.weights) this.text.value = range.text;
      fill(this.errors);
      this.draw();
      this.change();
    } catch (error) {
      if (asked === this.#asked) fill(this.errors, problem(error));
    }
  }
}

/** @param {Event} event */
const detail = (event) => String(/** @type {CustomEvent} */ (event).detail);
