/** The card of a run: name, state, progress, forecast, plot, result in words, stop and resume. */

import { fill, h, problem, s } from "./dom.js";
import { chips, duration } from "./numbers.js";

/** @typedef {[x: number, value: number, low: number | null, high: number | null]} Point */
/**
 * @typedef {object} Run
 * @property {string} id
 * @property {string} name
 * @property {string} about
 * @property {string} state
 * @property {number | null} share  part that is done, 0 to 1
 * @property {string} [progress]  in words
 * @property {number | null} [secondsLeft]
 * @property {string} [words]  the result
 * @property {string} [problem]
 * @property {Point[]} [curve]
 * @property {string} [measure]
 * @property {(globalThis.Node | null)[]} [more]
 * @property {(globalThis.Node | null)[]} [buttons]
 */

const [WIDTH, HEIGHT, LEFT, BELOW] = [560, 170, 52, 22];

/** @param {HTMLElement} place @param {Run} run */
export function drawRun(place, run) {
  const runs = run.state === "running" || run.state === "waiting";
  const left = runs && run.secondsLeft != null ? `, ${duration(run.secondsLeft)} left` : "";
  fill(
    place,
    h("div", { class: "row spread" }, h("h2", {}, run.name), h("span", { class: `state ${run.state}`, "data-fact": "state" }, [run.state, run.progress].filter(Boolean).join(", "), left)),
    h("small", {}, run.about),
    run.share !== null && run.state !== "finished" && h("progress", { max: 1, value: run.share, "aria-label": `${run.name}: progress` }),
    run.words && h("p", { class: "words" }, run.words),
    run.problem && problem(run.problem),
    ...(run.more ?? []),
    run.curve && run.curve.length > 1 && plot(run.curve, run.measure ?? ""),
    run.buttons?.some(Boolean) && h("div", { class: "row" }, run.buttons),
  );
}

/**
 * Draw a curve with its 95 % confidence interval.
 * @param {Point[]} points
 * @param {string} measure
 */
export function plot(points, measure) {
  const banded = points.filter((each) => each[2] !== null && each[3] !== null);
  const late = points.slice(Math.floor(points.length / 8)); // the first intervals are very wide
  const values = late.flatMap((each) => [each[1], each[2] ?? each[1], each[3] ?? each[1]]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const end = Math.max(points[points.length - 1][0], 1e-9);
  const x = (/** @type {number} */ value) => LEFT + ((WIDTH - LEFT) * value) / end;
  const y = (/** @type {number} */ value) => (HEIGHT - BELOW) * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low || 1)) + 6;
  const at = (/** @type {number} */ a, /** @type {number} */ b) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`;
  const band = [...banded.map((each) => at(each[0], each[3] ?? 0)), ...banded.toReversed().map((each) => at(each[0], each[2] ?? 0))].join(" ");
  const last = points[points.length - 1];
  const written = (/** @type {number} */ value) => Number(value.toPrecision(3)).toLocaleString("en-GB");
  const rule = (/** @type {number} */ value) => [s("line", { x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value), class: "rule" }), s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, written(value))];
  const rules = [...new Set([low, 0, high])].filter((value, place, all) => all.every((other, at) => at >= place || Math.abs(y(other) - y(value)) > 14));
  return h(
    "figure",
    {},
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT + 6}`, role: "img", "aria-label": `${measure}, last value ${written(last[1])}`, class: "graph curve" },
      rules.flatMap(rule),
      s("text", { x: WIDTH, y: HEIGHT + 2, "text-anchor": "end" }, chips(Math.round(end))),
      band && s("polygon", { points: band, class: "band" }),
      s("polyline", { points: points.map((each) => at(each[0], each[1])).join(" "), class: "line" }),
    ),
    h("figcaption", { class: "quiet" }, measure),
  );
}
