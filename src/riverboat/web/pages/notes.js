/** The actions of this hand, the results of the session, and the choices of the bot. */

import { withCards } from "./cards.js";
import { fill, h } from "./dom.js";
import { amount, chips, percent, signed, signedAmount, spoken } from "./numbers.js";
import { addressOf } from "./router.js";

/**
 * @param {HTMLElement} place
 * @param {Api.TableState} state
 */
export function drawNotes(place, state) {
  const rows = [];
  let street = "";
  for (const note of state.notes) {
    if (note.street && note.street !== street) {
      street = note.street;
      rows.push(h("li", { class: "heading" }, street));
    }
    const who = note.chair === null ? "" : `${state.chairs[note.chair].name} `;
    rows.push(h("li", {}, who && h("b", {}, who), withCards(spoken(note.words, state.unit))));
  }
  const list = h("ol", { tabindex: 0, "aria-label": "Actions of this hand" }, rows);
  fill(place, h("h2", {}, "This hand"), list);
  list.scrollTop = list.scrollHeight;
}

/**
 * @param {HTMLElement} place
 * @param {Api.TableState} state
 */
export function drawResults(place, state) {
  const results = state.results;
  if (!results) {
    fill(place, h("h2", {}, "Results"), h("p", { class: "quiet" }, "Shown after the first hand."));
    return;
  }
  const unit = `${results.unit} / 100 hands`;
  fill(
    place,
    h("h2", {}, "Results"),
    h(
      "dl",
      { class: "facts" },
      fact("Hands", chips(results.hands)),
      fact("Won", signedAmount(results.chips, state.unit)),
      fact(unit, interval(results.won)),
      results.adjusted ? fact("With all-in EV", interval(results.adjusted)) : null,
    ),
  );
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

/** @param {[number, number | null]} estimate */
function interval([mean, margin]) {
  return !margin ? signed(mean) : `${signed(mean)} ± ${margin.toFixed(1)}`;
}

/** A move in words: b25 is "bet 25", or "bet 2.5 bb". @param {string} move @param {number} [unit] */
export function moveWords(move, unit = 0) {
  if (unit && /^b\d+$/.test(move)) return `bet ${amount(Number(move.slice(1)), unit)}`;
  const words = /** @type {Record<string, string>} */ ({ f: "fold", k: "check", c: "call", s: "stand pat", b: "bet", d: "discard" });
  return [words[move[0]] ?? move[0], move.slice(1).trim()].filter(Boolean).join(" ");
}

/**
 * Draw what the bot would have done in the user's seat.
 * @param {HTMLElement} place
 * @param {Api.Choice[]} choices
 * @param {Api.TableState | null} state
 */
export function drawChoices(place, choices, state) {
  const rows = choices.map((choice) => {
    const shares = Object.entries(choice.actions).filter(([, share]) => share >= 0.005).sort((a, b) => b[1] - a[1]);
    const unit = state?.unit ?? 1;
    return h(
      "li",
      {},
      h("div", { class: "heading" }, choice.street, " ", withCards(choice.board)),
      h("div", {}, "You: ", h("b", {}, moveWords(choice.did, unit)), ". ", choice.reason || "Strategy: ", shares.map(([action, share], index) => [index ? ", " : "", h(action === choice.did ? "b" : "span", {}, `${moveWords(action, unit)} (${percent(share)})`)]).flat()),
      choice.loss !== null && h("div", {}, `EV loss: ${amount(Math.round(10 * Math.max(0, choice.loss)) / 10, unit)}`, choice.error ? h("small", {}, ` ± ${amount(Math.round(19.6 * choice.error) / 10, unit)}`) : null),
      studies(state) && h("a", { href: addressOf("study", { line: choice.tree_line, board: choice.board, hand: choice.hole }) }, "Study"),
    );
  });
  fill(place, h("h2", {}, "Your decisions"), rows.length ? h("ol", { class: "choices" }, rows) : h("p", { class: "quiet" }, "You had no decision in this hand."));
}

/** Whether Study shows the strategy of a table. @param {{game: string, chairs: unknown[]} | null} state */
export const studies = (state) => state?.game === "nolimit-100bb" && state.chairs.length === 2;
