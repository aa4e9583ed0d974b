/** The table: seats, board, pot. */

import { card } from "./cards.js";
import { fill, h } from "./dom.js";
import { chips, percent } from "./numbers.js";

/**
 * @param {HTMLElement} felt
 * @param {Api.TableState} state
 */
export function drawTable(felt, state) {
  Object.assign(felt.dataset, { seats: state.chairs.length, version: state.version, phase: state.phase, hand: state.hand });
  const slots = Math.max(state.board.length, state.phase === "new" ? 0 : boardSize(state));
  const board = Array.from({ length: slots }, (_, place) =>
    state.board[place] ? card(state.board[place]) : h("span", { class: "slot", "aria-hidden": "true" }),
  );
  const others = state.chairs.map((chair, place) => (place === state.you ? null : drawChair(state, chair, place)));
  fill(
    felt,
    h("div", { class: "others" }, others),
    h(
      "div",
      { class: "middle" },
      h("div", { class: "pot" }, h("span", {}, "Pot "), h("strong", {}, chips(state.pot)), bigBlinds(state)),
      h("div", { class: "board", role: "group", "aria-label": state.board.length ? "Board" : "No board yet" }, board),
      h("div", { class: "street" }, [state.game, state.hand ? `hand ${state.hand}` : "", state.street].filter(Boolean).join(" · ")),
    ),
    drawChair(state, state.chairs[state.you], state.you),
  );
}

/** @param {Api.TableState} state */
function boardSize(state) {
  return state.street.startsWith("round") ? state.board.length : 5;
}

/** @param {Api.TableState} state */
function bigBlinds(state) {
  return state.unit > 1 ? h("small", {}, ` ${(state.pot / state.unit).toFixed(1)} bb`) : null;
}

/**
 * @param {Api.TableState} state
 * @param {Api.Chair} chair
 * @param {number} place
 */
function drawChair(state, chair, place) {
  const you = place === state.you;
  const angle = Math.PI / 2 + (2 * Math.PI * place) / state.chairs.length;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  const mark = ["chair", you && "you", chair.acting && "acting", !chair.live && "out"].filter(Boolean).join(" ");
  return h(
    "div",
    { class: mark, role: "group", "aria-label": you ? "You" : chair.name, style: { "--x": x.toFixed(3), "--y": y.toFixed(3) } },
    h("div", { class: "hand" }, chair.cards.map((code) => card(code, you ? "" : "small"))),
    h(
      "div",
      { class: "plate" },
      h("div", { class: "who" }, h("span", {}, named(chair.name)), chair.button && h("span", { class: "button-mark", title: "button", role: "img", "aria-label": "has the button" }, "D")),
      h("div", { class: "stack-size" }, chips(chair.stack), total(chair, state)),
      h("div", { class: "said" }, chair.said || (chair.acting && !you ? "thinking …" : "\u00a0")),
    ),
    chair.bet > 0 && h("div", { class: "bet" }, h("span", { class: "chip", "aria-hidden": "true" }), h("span", { class: "unseen" }, "bet "), chips(chair.bet)),
    you && state.holding && h("div", { class: "holding" }, state.holding),
  );
}

/** Draw the name of a player, with the bot in italics: `Ann (blueprint)`. @param {string} name */
function named(name) {
  const [who, bot] = name.split(/ (?=\()/);
  return bot ? [`${who} `, h("i", {}, bot)] : [name];
}

/**
 * @param {Api.Chair} chair
 * @param {Api.TableState} state
 */
function total(chair, state) {
  if (!state.results || !chair.total) return null;
  return h("small", { class: chair.total > 0 ? "up" : "down" }, ` ${chair.total > 0 ? "+" : "−"}${chips(Math.abs(chair.total))}`);
}

/** @param {Api.TableState} state */
export function priceWords(state) {
  if (!state.to_call) return "";
  const odds = state.odds === null ? "" : `: a call needs ${percent(state.odds)} equity`;
  return `${chips(state.to_call)} to call${odds}`;
}
