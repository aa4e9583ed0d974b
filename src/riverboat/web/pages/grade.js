/** What an answer is worth, in words. */

import { percent } from "./numbers.js";

/** @typedef {{actions: Record<string, number>, values: Record<string, number>, did: string, frequency: number}} Grade */

/** @param {Api.Graded} told */
export const gradeOf = (told) => /** @type {Grade} */ (/** @type {unknown} */ (told.grade));

/** @param {Api.Graded} told */
export function graded(told) {
  const margin = told.error_bb ? ` ± ${(1.96 * told.error_bb).toFixed(2)}` : "";
  const cost = told.loss_bb === null ? "what it cost is not known" : `it cost ${told.loss_bb.toFixed(2)}${margin} bb`;
  return `The strategy does that in ${percent(gradeOf(told).frequency)}; ${cost}.`;
}
