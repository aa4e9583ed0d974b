/** Format numbers for display. */

/** @param {number} chips */
export const chips = (chips) => chips.toLocaleString("en-GB");

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
