/** Format numbers for display. */

import { settings } from "./settings.js";

/** @param {number} chips */
export const chips = (chips) => chips.toLocaleString("en-GB");

/** Whether amounts are shown in big blinds. @param {number} unit chips of a big blind */
export const inBlinds = (unit) => unit > 1 && settings.unit === "bb";

/** An amount without its unit: chips, or big blinds. @param {number} chips @param {number} unit */
export const bare = (chips, unit) => (inBlinds(unit) ? (chips / unit).toLocaleString("en-GB", { maximumFractionDigits: 2 }) : chips.toLocaleString("en-GB"));

/** An amount of chips as the settings show it: `2.5 bb` or `25`. @param {number} chips @param {number} unit */
export const amount = (chips, unit) => `${bare(chips, unit)}${inBlinds(unit) ? "\u00a0bb" : ""}`;

/** @param {number} chips @param {number} unit */
export const signedAmount = (chips, unit) => `${chips < 0 ? "−" : "+"}${amount(Math.abs(chips), unit)}`;

/** An action or result in words, with its amounts as the settings show them. @param {string} words @param {number} unit */
export function spoken(words, unit) {
  return words.replace(/\b(bets?|raises? to|calls?|wins?) ([\d,]+)/g, (_, verb, number) => `${verb} ${amount(Number(number.replaceAll(",", "")), unit)}`);
}

/** @param {number} share @param {number} [digits] */
export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/** @param {number} value @param {number} [digits] */
export const signed = (value, digits = 1) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

/** @param {number} bytes */
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let place = 0;
  while (bytes >= 1000 && place < units.length - 1) {
    bytes /= 1000;
    place++;
  }
  return `${bytes < 10 && place ? bytes.toFixed(1) : Math.round(bytes)} ${units[place]}`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1) return "under a second";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
