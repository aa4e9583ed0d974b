/** The 13 x 13 matrix of starting hands. */

import { classWords } from "./cards.js";
import { h } from "./dom.js";
import { CLASSES } from "./hands.js";

/**
 * @typedef {object} Cell
 * @property {{colour: string, share: number}[]} segments  from left to right
 * @property {number} dim  0 is invisible, 1 is full brightness
 * @property {string} words  for screen readers
 * @property {string} [small]  under the name
 */

/**
 * `<rb-matrix>`: a grid with keyboard navigation.
 *
 * A page of charts has thousands of cells, so each cell is a single element and its bar is a background.
 * The matrix sends `look` when a cell is hovered or focused, and `pick` when it is clicked or Enter is
 * pressed. With the attribute `paint` it sends `paint` instead of `pick`, also while the pointer drags.
 */
export class Matrix extends HTMLElement {
  /** @type {HTMLElement[]} */
  #cells = [];
  #painting = false;
  #last = "";

  connectedCallback() {
    if (this.#cells.length) return;
    this.setAttribute("role", "grid");
    for (let row = 0; row < 13; row++) {
      const cells = CLASSES.slice(13 * row, 13 * row + 13).map((name, column) =>
        h("div", { role: "gridcell", tabindex: row + column ? -1 : 0, "data-name": name }, name),
      );
      this.#cells.push(...cells);
      this.append(h("div", { role: "row" }, cells));
    }
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#send("look", event.target));
    this.addEventListener("pointerover", (event) => this.#send("look", event.target));
    this.addEventListener("pointerdown", (event) => this.#begin(event));
    this.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) this.addEventListener(end, () => this.#end());
  }

  /** @param {Cell[]} cells one per class, from the ace down */
  set cells(cells) {
    cells.forEach((cell, place) => {
      const element = this.#cells[place];
      const empty = cell.dim <= 0 || !cell.segments.length;
      element.style.setProperty("--bar", empty ? "none" : gradient(cell.segments, cell.dim));
      element.classList.toggle("empty", empty);
      element.setAttribute("aria-label", `${CLASSES[place]}, ${classWords(CLASSES[place])}: ${cell.words}`);
      element.dataset.small = cell.small ?? "";
    });
  }

  /** @param {string} name the chosen class, or an empty text */
  set chosen(name) {
    this.#cells.forEach((cell, place) => {
      cell.setAttribute("aria-selected", String(CLASSES[place] === name));
    });
    if (name && !this.contains(document.activeElement)) this.#makeFocusable(CLASSES.indexOf(name));
  }

  /** Put the focus on the matrix. */
  enter() {
    this.#cells.find((cell) => cell.tabIndex === 0)?.focus();
  }

  /** @param {number} place */
  #makeFocusable(place) {
    this.#cells.forEach((cell, index) => (cell.tabIndex = index === place ? 0 : -1));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const here = this.#cells.indexOf(/** @type {HTMLElement} */ (event.target));
    if (here < 0) return;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -13], End: [0, 13] };
    const step = steps[event.key];
    if (step) {
      const row = Math.min(12, Math.max(0, Math.floor(here / 13) + step[0]));
      const column = Math.min(12, Math.max(0, (here % 13) + step[1]));
      this.#makeFocusable(13 * row + column);
      this.#cells[13 * row + column].focus();
      if (event.shiftKey && this.hasAttribute("paint")) this.#send("paint", this.#cells[13 * row + column]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#send(this.hasAttribute("paint") ? "paint" : "pick", event.target);
    } else return;
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    const cell = cellOf(event.target);
    if (!cell || event.button) return;
    this.#makeFocusable(this.#cells.indexOf(cell));
    if (!this.hasAttribute("paint")) {
      this.#send("pick", cell);
      return;
    }
    this.#painting = true;
    this.dispatchEvent(new CustomEvent("begin", { detail: cell.dataset.name }));
    this.#send("paint", cell);
    this.#last = cell.dataset.name ?? "";
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#painting) return;
    const cell = cellOf(document.elementFromPoint(event.clientX, event.clientY));
    if (!cell || !this.contains(cell) || cell.dataset.name === this.#last) return;
    this.#last = cell.dataset.name ?? "";
    this.#send("paint", cell);
  }

  #end() {
    if (this.#painting) this.dispatchEvent(new CustomEvent("painted"));
    this.#painting = false;
    this.#last = "";
  }

  /** @param {string} kind @param {EventTarget | null} target */
  #send(kind, target) {
    const name = cellOf(target)?.dataset.name;
    if (name) this.dispatchEvent(new CustomEvent(kind, { detail: name }));
  }
}
customElements.define("rb-matrix", Matrix);

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function cellOf(target) {
  return target instanceof Element ? target.closest("[role=gridcell]") : null;
}

/** @param {{colour: string, share: number}[]} segments @param {number} dim */
function gradient(segments, dim) {
  let from = 0;
  const opaque = (18 + 82 * dim).toFixed(1);
  const stops = segments.map(({ colour, share }) => {
    const stop = `color-mix(in srgb, ${colour} ${opaque}%, transparent) ${(100 * from).toFixed(1)}% ${(100 * (from + share)).toFixed(1)}%`;
    from += share;
    return stop;
  });
  if (from < 0.999) stops.push(`transparent ${(100 * from).toFixed(1)}% 100%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

/** @param {string} label */
export function matrix(label) {
  const element = /** @type {Matrix} */ (document.createElement("rb-matrix"));
  element.setAttribute("aria-label", label);
  return element;
}
