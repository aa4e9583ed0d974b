/** Cards, hole pairs and the 169 classes; cards as elements. */

import { h, s } from "./dom.js";

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const NUM_HOLES = 1326;
const RANK_WORDS = [
  "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  "jack", "queen", "king", "ace",
];
/** @type {Record<string, string>} */
const SUIT_WORDS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
/** @type {Record<string, string>} */
const SUIT_PATHS = {
  c: "M12 2a4.5 4.5 0 0 1 4 6.6 4.6 4.6 0 1 1-2.9 8.1L14.8 22H9.2l1.7-5.3A4.6 4.6 0 1 1 8 8.6 4.5 4.5 0 0 1 12 2Z",
  d: "M12 2l7.5 10L12 22 4.5 12Z",
  h: "M12 21.5C5 15.5 2 12 2 8a5.2 5.2 0 0 1 10-2A5.2 5.2 0 0 1 22 8c0 4-3 7.5-10 13.5Z",
  s: "M12 2C17 8 21 11 21 15a4.5 4.5 0 0 1-7.8 2.5L14.8 22H9.2l1.6-4.5A4.5 4.5 0 0 1 3 15C3 11 7 8 12 2Z",
};

/** @param {string} text "Ah" */
export const cardNumber = (text) => 4 * RANKS.indexOf(text[0]) + SUITS.indexOf(text[1]);
/** @param {number} card */
export const cardText = (card) => RANKS[card >> 2] + SUITS[card & 3];
/** @param {string} text @returns {string[]} */
export const splitCards = (text) => text.match(/[2-9TJQKA][cdhs]/g) ?? [];
/** @param {string} text */
export const cardWords = (text) =>
  text === "??" ? "a hidden card" : `${RANK_WORDS[RANKS.indexOf(text[0])]} of ${SUIT_WORDS[text[1]]}`;
/** @param {string[]} cards */
export const cardsWords = (cards) => cards.map(cardWords).join(", ");

/** Hole pairs by index: the higher card first. @type {[number, number][]} */
export const HOLES = [];
for (let high = 1; high < 52; high++) for (let low = 0; low < high; low++) HOLES.push([high, low]);

/** @param {number} a @param {number} b */
export const holeIndex = (a, b) => (Math.max(a, b) * (Math.max(a, b) - 1)) / 2 + Math.min(a, b);
/** @param {number} hole */
export const holeText = (hole) => HOLES[hole].map(cardText).join("");

/**
 * Return the class of a matrix cell. Rows and columns start at the ace; suited hands are above the diagonal.
 * @param {number} row
 * @param {number} column
 */
export function className(row, column) {
  const high = RANKS[12 - Math.min(row, column)];
  const low = RANKS[12 - Math.max(row, column)];
  return row === column ? high + low : high + low + (column > row ? "s" : "o");
}

/** @param {string} name */
export function classWords(name) {
  const [high, low] = [...name].map((rank) => RANK_WORDS[RANKS.indexOf(rank)]);
  if (name.length === 2) return `pair of ${high === "six" ? "sixes" : `${high}s`}`;
  return `${high} ${low} ${name[2] === "s" ? "suited" : "offsuit"}`;
}

/** @type {Map<string, number[]>} */
const holesByClass = new Map();
HOLES.forEach(([high, low], hole) => {
  const name = classOf(high, low);
  holesByClass.set(name, [...(holesByClass.get(name) ?? []), hole]);
});

/** @param {number} high @param {number} low */
function classOf(high, low) {
  const ranks = RANKS[high >> 2] + RANKS[low >> 2];
  if (high >> 2 === low >> 2) return ranks;
  return ranks + ((high & 3) === (low & 3) ? "s" : "o");
}

/** @param {string} name @returns {number[]} */
export const holesOf = (name) => holesByClass.get(name) ?? [];
/** @param {number} hole */
export const holeClass = (hole) => classOf(HOLES[hole][0], HOLES[hole][1]);

/**
 * Read a hand from an address, a class such as AKs or a hole pair such as AhKh.
 * @param {string} text
 * @returns {{name: string, hole: number | null} | null}
 */
export function readHand(text) {
  if (holesByClass.has(text)) return { name: text, hole: null };
  const cards = splitCards(text).map(cardNumber);
  if (cards.length !== 2 || cards[0] === cards[1]) return null;
  const hole = holeIndex(cards[0], cards[1]);
  return { name: holeClass(hole), hole };
}

/** A card: `<rb-card code="Ah">`; `??` draws its back. */
class CardElement extends HTMLElement {
  static observedAttributes = ["code"];

  connectedCallback() {
    this.draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.draw();
  }

  draw() {
    const code = this.getAttribute("code") ?? "??";
    this.setAttribute("role", "img");
    this.setAttribute("aria-label", cardWords(code));
    this.dataset.suit = code[1];
    if (code === "??") this.replaceChildren();
    else this.replaceChildren(h("b", {}, code[0] === "T" ? "10" : code[0]), suit(code[1]));
  }
}
customElements.define("rb-card", CardElement);

/** @param {string} letter */
function suit(letter) {
  return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: SUIT_PATHS[letter] }));
}

/**
 * @param {string} code
 * @param {string} [kind] "small" or "text"
 */
export function card(code, kind = "") {
  const element = document.createElement("rb-card");
  element.setAttribute("code", code);
  if (kind) element.className = kind;
  return element;
}

/**
 * Draw the cards that a text names; the rest stays text.
 * @param {string} text
 * @returns {globalThis.Node[]}
 */
export function withCards(text) {
  /** @type {globalThis.Node[]} */
  const nodes = [];
  text.split(/((?:[2-9TJQKA][cdhs])+(?!\w))/).forEach((part, place) => {
    if (place % 2) nodes.push(...splitCards(part).map((code) => card(code, "text")));
    else if (part) nodes.push(document.createTextNode(part));
  });
  return nodes;
}
