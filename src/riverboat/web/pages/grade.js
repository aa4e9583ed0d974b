/** The grade of an answer in words. */

import { percent } from "./numbers.js";

/** @typedef {{actions: Record<string, number>, values: Record<string, number>, did: string, frequency: number}} Grade */

/** @type {Record<string, string>} */
const RATINGS = { good: "Good", hard: "Hard", again: "Again" };

/** @param {Api.Graded} answer */
export const gradeOf = (answer) => /** @type {Grade} */ (/** @type {unknown} */ (answer.grade));

/** @param {Api.Graded} answer */
export function graded(answer) {
  const { frequency } = gradeOf(answer);
  const often = frequency > 0 ? `the strategy plays this ${percent(frequency)} of the time` : "the strategy never plays this";
  return `${RATINGS[answer.rating] ?? answer.rating}: ${often}; ${lossWords(answer)}.`;
}

/** @param {Api.Graded} answer */
function lossWords(answer) {
  const { loss_bb: loss, error_bb: error } = answer;
  if (loss === null) return "EV loss unknown";
  if (!error) return `EV loss ${loss.toFixed(2)} bb`;
  const margin = 1.96 * error;
  return `EV loss ${loss.toFixed(2)} ± ${margin.toFixed(2)} bb${Math.abs(loss) < margin ? " (not significant)" : ""}`;
}
