/** The actions of this hand, the results of the session, and the choices of the bot. */

import { withCards } from "./cards.js";
import { fill, h } from "./dom.js";
import { chips, percent, signed } from "./numbers.js";
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
    rows.push(h("li", {}, who && h("b", {}, who), withCards(note.words)));
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
      fact("Won", `${results.chips < 0 ? "−" : "+"}${chips(Math.abs(results.chips))} chips`),
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
  return margin === null ? signed(mean) : `${signed(mean)} ± ${margin.toFixed(1)}`;
}

/** A move in words: b25 is "bet 25". @param {string} move */
export function moveWords(move) {
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
    const study = choice.by === "blueprint" && state?.game === "nolimit-100bb" && state.chairs.length === 2;
    return h(
      "li",
      {},
      h("div", { class: "heading" }, choice.street, " ", withCards(choice.board)),
      h("div", {}, "You: ", h("b", {}, moveWords(choice.did)), ". ", choice.reason || `Bot (${choice.by}): `, shares.map(([action, share], index) => [index ? ", " : "", h(action === choice.did ? "b" : "span", {}, `${moveWords(action)} (${percent(share)})`)]).flat()),
      choice.loss !== null && h("div", {}, `EV loss: ${choice.loss.toFixed(1)} chips${choice.error ? ` ± ${(1.96 * choice.error).toFixed(1)}` : ""}`),
      study && h("a", { href: addressOf("study", { line: choice.line, board: choice.board, hand: choice.hole }) }, "Study"),
    );
  });
  fill(place, h("h2", {}, "The bot in your seat"), rows.length ? h("ol", { class: "choices" }, rows) : h("p", { class: "quiet" }, "You had no decision in this hand."));
}
