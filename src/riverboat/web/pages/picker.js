/** Card picker. */

import { RANKS, SUITS, card, splitCards } from "./cards.js";
import { h } from "./dom.js";

/**
 * Return a grid of 52 cards to click, with a text field.
 * @param {object} asked
 * @param {string} asked.label
 * @param {string[]} asked.chosen
 * @param {string[]} [asked.fixed]  cards that cannot be removed
 * @param {number} asked.most
 * @param {(cards: string[]) => void} asked.change
 */
export function picker({ label, chosen, fixed = [], most, change }) {
  const cards = [...chosen];
  const buttons = [...SUITS].reverse().flatMap((suit) =>
    [...RANKS].reverse().map((rank) => {
      const code = rank + suit;
      return h("button", {
        type: "button",
        class: "pick",
        "data-code": code,
        "aria-pressed": String(fixed.includes(code) || cards.includes(code)),
        disabled: fixed.includes(code),
        tabindex: -1,
        onclick: () => toggle(code),
      }, card(code, "text"));
    }),
  );
  const free = buttons.find((button) => !button.disabled);
  if (free) free.tabIndex = 0;

  /** @param {string} code */
  function toggle(code) {
    const place = cards.indexOf(code);
    if (place >= 0) cards.splice(place, 1);
    else if (cards.length < most) cards.push(code);
    else cards.splice(most - 1, 1, code);
    change([...cards]);
  }
  const grid = h("div", { class: "deck", role: "group", "aria-label": label, onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event, buttons) }, buttons);
  const field = h("input", {
    type: "text", value: cards.join(""), "aria-label": `${label} as text`, placeholder: "Ks7h2d", spellcheck: "false", autocomplete: "off",
    onchange: () => change(splitCards(field.value).filter((code) => !fixed.includes(code)).slice(0, most)),
  });
  const random = h("button", { type: "button", onclick: () => change(filled(cards, fixed, most)) }, "Random");
  return h("div", { class: "picker stack" }, grid, h("div", { class: "row" }, h("span", { class: "grow" }, field), random, h("button", { type: "button", onclick: () => change([]) }, "Clear")));
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLButtonElement[]} buttons
 */
function walk(event, buttons) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
  const here = buttons.findIndex((button) => button === event.target);
  const step = steps[event.key];
  if (here < 0 || !step) return;
  event.preventDefault();
  let next = here + step;
  while (buttons[next]?.disabled) next += step;
  if (!buttons[next]) return;
  for (const button of buttons) button.tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}

/**
 * @param {string[]} cards
 * @param {string[]} fixed
 * @param {number} most
 */
function filled(cards, fixed, most) {
  const board = cards.length < most ? [...cards] : [];
  const deck = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit)).filter((code) => !fixed.includes(code));
  while (board.length < most) {
    const code = deck[Math.floor(Math.random() * deck.length)];
    if (!board.includes(code)) board.push(code);
  }
  return board;
}
