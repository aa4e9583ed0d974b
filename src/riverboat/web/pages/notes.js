/** What happened in this hand, and what came of all of them. */

import { withCards } from "./cards.js";
import { fill, h } from "./dom.js";
import { chips, signed } from "./numbers.js";

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
  const list = h("ol", { tabindex: 0, "aria-label": "Moves of this hand" }, rows);
  fill(place, h("h2", {}, "This hand"), list);
  list.scrollTop = list.scrollHeight;
}

/**
 * @param {HTMLElement} place
 * @param {Api.TableState} state
 */
export function drawResults(place, state) {
  const found = state.results;
  if (!found) {
    fill(place, h("h2", {}, "Results"), h("p", { class: "quiet" }, "After the first hand."));
    return;
  }
  const unit = `${found.unit} / 100 hands`;
  fill(
    place,
    h("h2", {}, "Results"),
    h(
      "dl",
      { class: "facts" },
      fact("Hands", chips(found.hands)),
      fact("Won", `${found.chips < 0 ? "−" : "+"}${chips(Math.abs(found.chips))} chips`),
      fact(unit, interval(found.won)),
      found.adjusted ? fact("All-ins at their expectation", interval(found.adjusted)) : null,
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
