/** SVG graphs: the equities of both ranges, and exploitability over time. */

import { h, s } from "./dom.js";
import { percent, signed } from "./numbers.js";

const [WIDTH, HEIGHT] = [420, 230];
const BOX = { left: 54, right: 8, top: 10, bottom: 28 };

/** @param {number} x from 0 to 1 */
const across = (x) => BOX.left + x * (WIDTH - BOX.left - BOX.right);
/** @param {number} y from 0 to 1, upwards @param {number} [height] */
const up = (y, height = HEIGHT) => height - BOX.bottom - y * (height - BOX.top - BOX.bottom);

/**
 * @param {string} words
 * @param {...SVGElement} content
 */
function frame(words, ...content) {
  return framed(words, HEIGHT, content);
}

/** @param {string} words @param {number} height @param {SVGElement[]} content */
function framed(words, height, content) {
  return s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words }, content);
}

/** @param {number} y @param {string} text @param {number} [height] */
function rule(y, text, height) {
  const place = up(y, height);
  return s("g", {}, s("line", { x1: across(0), x2: across(1), y1: place, y2: place, class: "rule" }), s("text", { x: BOX.left - 6, y: place + 4, "text-anchor": "end" }, text));
}

/** @param {number} x @param {string} text @param {number} [height] */
function tick(x, text, height = HEIGHT) {
  const anchor = x > 0.9 ? "end" : x < 0.1 ? "start" : "middle";
  return s("text", { x: across(x), y: height - 8, "text-anchor": anchor }, text);
}

/** @param {[number, number][]} points @param {string} name @param {number} [height] */
function line(points, name, height) {
  return s("polyline", { points: points.map(([x, y]) => `${across(x).toFixed(1)},${up(y, height).toFixed(1)}`).join(" "), class: `curve ${name}` });
}

/**
 * @param {[number, number][][]} curves  one per player
 * @param {[string, string]} names
 */
export function equityGraph(curves, names) {
  const rules = [0, 0.25, 0.5, 0.75, 1].map((y) => rule(y, percent(y)));
  const ticks = [0, 0.5, 1].map((x) => tick(x, x === 1 ? "strongest" : x === 0 ? "weakest" : "middle of the range"));
  const words = names.map((name, place) => `${name}: median equity ${percent(middle(curves[place]))}`).join("; ");
  return h(
    "figure",
    {},
    frame(words, ...rules, ...ticks, ...curves.map((points, place) => line(points, `of${place}`))),
    h("figcaption", {}, names.map((name, place) => h("span", { class: `key of${place}` }, name))),
  );
}

/** @param {[number, number][]} points */
function middle(points) {
  return points.find(([x]) => x >= 0.5)?.[1] ?? 0;
}

/**
 * @param {Api.Progress[]} progress
 * @param {number} target  fraction of the pot
 */
export function exploitabilityGraph(progress, target) {
  const shares = progress.map((point) => Math.max(point.share, 1e-7));
  const low = Math.floor(Math.log10(Math.min(target, ...shares)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(target, ...shares))));
  const last = Math.max(...progress.map((point) => point.seconds), 0.001);
  /** @param {number} share */
  const y = (share) => (Math.log10(share) - low) / (high - low);
  const rules = Array.from({ length: high - low + 1 }, (_, place) => rule(place / (high - low), `${trimmed(100 * 10 ** (low + place))} %`));
  const points = progress.map((point, place) => /** @type {[number, number]} */ ([point.seconds / last, y(shares[place])]));
  const words = progress.length ? `Exploitability ${percent(progress[progress.length - 1].share, 3)} of the pot after ${last.toFixed(1)} seconds` : "Exploitability not computed yet";
  return frame(
    words,
    ...rules,
    tick(0, "0 s"),
    tick(1, `${last < 10 ? Number(last.toPrecision(2)) : Math.round(last)} s`),
    s("line", { x1: across(0), x2: across(1), y1: up(y(target)), y2: up(y(target)), class: "target" }),
    line(points, "of0"),
    ...points.map(([a, b]) => s("circle", { cx: across(a), cy: up(b), r: 2.5, class: "dot" })),
  );
}

/** @param {number} value */
function trimmed(value) {
  return String(Number(value.toPrecision(3)));
}

const WINNINGS = /** @type {const} */ ([[1, "won"], [2, "all-in EV"], [3, "luck-adjusted"]]);

/**
 * Draw winnings over hands: as won, with all-in EV, and luck-adjusted where that is known.
 * @param {[hands: number, won: number, expected: number, adjusted: number][]} points  in big blinds
 * @param {number} held  hands with a luck-adjusted result
 * @param {number} [height]
 */
export function winningsGraph(points, held, height = HEIGHT) {
  const shown = WINNINGS.slice(0, held ? 3 : 2);
  const values = points.flatMap((point) => shown.map(([column]) => point[column]));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = niceStep((high - low || 1) / (height < HEIGHT ? 2 : 4));
  const [from, to] = [step * Math.floor(low / step), step * Math.max(1, Math.ceil(high / step))];
  const last = points[points.length - 1];
  const y = (/** @type {number} */ value) => (value - from) / (to - from);
  const rules = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, place) => from + place * step).map((value) => rule(y(value), String(value), height));
  const curve = (/** @type {1 | 2 | 3} */ column) => points.map((point) => /** @type {[number, number]} */ ([point[0] / Math.max(1, last[0]), y(point[column])]));
  const named = shown.map(([column, name]) => `${name} ${signed(last[column])} bb`);
  const lines = shown.map(([column], place) => line(curve(column), `of${place}`, height)).reverse();
  return h(
    "figure",
    { class: "winnings" },
    framed(`After ${last[0]} hand${last[0] === 1 ? "" : "s"}: ${named.join(", ")}`, height, [...rules, tick(0, "0", height), tick(1, `${last[0]} hand${last[0] === 1 ? "" : "s"}`, height), ...lines]),
    h("figcaption", {}, named.map((words, place) => h("span", { class: `key of${place}` }, words))),
  );
}

/** @param {number} least */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return (([1, 2, 5].find((each) => each * power >= least) ?? 10) * power) || 1;
}
