/** After a hand: one honest sentence about the user's play, and where to look further. */

import { fill, h } from "./dom.js";
import { moveWords } from "./notes.js";
import { amount, percent } from "./numbers.js";
import { addressOf } from "./router.js";

const NOISE = 1.96; // standard errors

/** Return the choice that cost most, if its EV loss is larger than its error. @param {Api.Choice[]} choices */
function worst(choices) {
  const costly = choices.filter((choice) => (choice.loss ?? 0) > Math.max(NOISE * choice.error, 0));
  return costly.sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0))[0];
}

/**
 * @param {Api.Choice[]} choices
 * @param {number} unit
 * @returns {string}
 */
export function sentence(choices, unit) {
  if (!choices.length) return "You had no decision in this hand.";
  const graded = choices.filter((choice) => choice.loss !== null);
  const choice = worst(graded);
  const odd = choice ? undefined : unusual(choices);
  if (odd) return oddWords(odd, unit);
  if (!graded.length) {
    const why = choices[0].reason || "the strategy does not play this table";
    return why.endsWith("not graded") ? `${why[0].toUpperCase()}${why.slice(1)}.` : `Not graded: ${why}.`;
  }
  if (!choice) {
    const rest = choices.length - graded.length;
    return `No mistake: the strategy plays this hand as you did.${rest ? ` ${rest} decision${rest > 1 ? "s" : ""} not graded.` : ""}`;
  }
  const cost = choice.loss ?? 0;
  const loss = unit <= 1 || cost / unit >= 0.1 ? rounded(cost, unit) : "under 0.1 bb";
  return `You lost ${loss} ${streetWords(choice)}${reason(choice, unit)}`;
}

/** @param {Api.Choice} choice */
function streetWords({ street }) {
  return street === "preflop" ? street : `on the ${street}`;
}

/** Return a choice that the strategy never makes, where its EV is unknown. @param {Api.Choice[]} choices */
function unusual(choices) {
  return choices.find((choice) => choice.by === "blueprint" && choice.loss === null && !choice.reason && (choice.actions[choice.did] ?? 0) < 0.01 && Object.keys(choice.actions).length > 0);
}

/** @param {Api.Choice} choice @param {number} unit */
function oddWords(choice, unit) {
  const [usual, share] = Object.entries(choice.actions).sort((a, b) => b[1] - a[1])[0];
  return `The strategy would ${moveWords(usual, unit)} (${percent(share)}) ${streetWords(choice)}, not ${moveWords(choice.did, unit)}. The EV loss is unknown.`;
}

/** @param {number} chips @param {number} unit */
function rounded(chips, unit) {
  return amount(Math.round((10 * chips) / unit) * (unit / 10), unit);
}

/** @param {Api.Choice} choice @param {number} unit */
function reason(choice, unit) {
  const { values, did, best } = choice;
  const better = best && best !== did ? moveWords(best, unit) : "";
  const total = choice.pot + choice.to_call;
  const [needed, had] = [choice.to_call / total, Math.max(0, ((values.c ?? 0) + choice.to_call) / total)];
  const price = `: calling needed ${percent(needed)}, your hand was worth ${percent(had)}.`;
  if (did === "c" && "c" in values && had < needed) return best === "f" || !better ? price : `${price} Better to ${better}.`;
  if (did === "f" && best === "c") return price;
  return better ? `: better to ${better} than to ${moveWords(did, unit)}.` : `: the strategy would not ${moveWords(did, unit)}.`;
}

/**
 * Draw the sentence, and links to the hand, to the strategy and to the solver.
 * @param {HTMLElement} place
 * @param {Api.Choice[]} choices
 * @param {{unit: number, hand: string, study: boolean, more?: () => void}} where  address of the hand; whether Study knows the game
 */
export function drawVerdict(place, choices, { unit, hand, study, more }) {
  const choice = worst(choices) ?? choices[choices.length - 1];
  const words = sentence(choices, unit);
  const at = choice && { strategy: "default", line: choice.tree_line, board: choice.board };
  fill(
    place,
    h("p", { class: worst(choices) ? "down" : "" }, words),
    h(
      "span",
      { class: "row" },
      hand && h("a", { href: hand }, "Review hand"),
      study && at && h("a", { href: addressOf("study", { ...at, strategy: null, hand: choice.hole }) }, "See the solver"),
      study && at && choice.board && h("a", { href: addressOf("solve", at) }, "Solve other sizes"),
      more && choices.length > 0 && h("button", { type: "button", class: "plain", "data-key": "choices", onclick: more }, "All decisions"),
    ),
  );
}
