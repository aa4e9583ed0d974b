/** Watch: the runs of this machine, from logs and the ledger; read-only. */

import { get } from "./api.js";
import { fill, h, problem, s } from "./dom.js";
import { chips, duration, signed, size } from "./numbers.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {[number, number, number | null, number | null]} Point */

const EVERY = 3000;
const WIDTH = 320;
const HEIGHT = 90;

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  let timer = 0;
  let left = false;
  const list = h("section", { class: "stack", "aria-label": "Runs" });
  const look = async () => {
    try {
      draw(list, await get("/watch"));
    } catch (error) {
      fill(list, problem(error));
    }
    if (!left) timer = window.setTimeout(() => void look(), EVERY);
  };
  return {
    show: () => {
      clearTimeout(timer);
      fill(main, h("h1", {}, "Watch"), h("p", { class: "quiet" }, "Training runs, matches, tournaments, libraries of spots, reproductions and reports on this machine. Read-only."), list);
      void look();
    },
    leave: () => {
      left = true;
      clearTimeout(timer);
    },
  };
}

/** @param {HTMLElement} list @param {Api.Watched[]} runs */
function draw(list, runs) {
  if (!runs.length) {
    fill(list, h("p", { class: "quiet nothing" }, "No runs found, and the ledger is empty."));
    return;
  }
  fill(list, runs.map(runOf));
}

/** @param {Api.Watched} run */
function runOf(run) {
  const seen = run.seen < 5 ? "now" : `${duration(run.seen)} ago`;
  const curve = /** @type {Point[]} */ (/** @type {unknown} */ (run.curve));
  return h(
    "article",
    { class: "card stack run" },
    h("div", { class: "row spread" }, h("h2", {}, run.name), h("span", { class: "quiet" }, `${run.kind}, ${run.state}, ${seen}`)),
    h("dl", { class: "facts" }, Object.entries(run.facts).filter(([, value]) => value !== null && value !== "").map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, written(name, value))))),
    run.table && crossTable(run.table),
    curve.length > 1 && h("figure", {}, curveOf(curve), h("figcaption", { class: "quiet" }, `${run.measure}, over ${duration(curve[curve.length - 1][0])}`)),
    h("small", { class: "quiet" }, run.place),
  );
}

/** Draw a cross table: rows against columns, with confidence intervals. @param {Api.CrossTable} table */
function crossTable(table) {
  const cell = (/** @type {Api.Cell | null} */ won) =>
    won === null ? h("td", {}) : h("td", { class: (won.low ?? 0) > 0 ? "up" : (won.high ?? 0) < 0 ? "down" : "" }, signed(won.mean, 0), won.low !== null && won.high !== null && h("small", {}, ` ± ${((won.high - won.low) / 2).toFixed(0)}`));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table" },
    h(
      "table",
      {},
      h("caption", {}, "Winnings of the row bot against the column bot (mbb/hand, 95 % confidence)"),
      h("thead", {}, h("tr", {}, h("td", {}), table.bots.map((bot) => h("th", { scope: "col" }, bot)))),
      h("tbody", {}, table.bots.map((bot, row) => h("tr", {}, h("th", { scope: "row" }, bot), table.cells[row].map(cell)))),
    ),
  );
}

/** @param {string} name @param {any} value @returns {string} */
function written(name, value) {
  if (Array.isArray(value)) return value.map((item) => (typeof item === "object" ? winnings(item) : String(item))).join("; ") || "none yet";
  if (typeof value === "object") return JSON.stringify(value);
  if (name === "started") return new Date(value).toLocaleString();
  if (typeof value !== "number") return String(value);
  if (name.endsWith("bytes")) return size(value);
  if (name.startsWith("seconds")) return duration(value);
  return Number.isInteger(value) || value >= 100 ? chips(Math.round(value)) : value.toPrecision(3);
}

/** @param {{bot: string, mbb_per_hand: {mean: number, interval_95: [number | null, number | null]} | null}} row */
function winnings(row) {
  const won = row.mbb_per_hand;
  if (!won) return row.bot;
  const [low, high] = won.interval_95;
  const band = low === null || high === null ? "" : ` (${low.toFixed(0)} to ${high.toFixed(0)})`;
  return `${row.bot} ${won.mean.toFixed(0)} mbb/hand${band}`;
}

/** @param {Point[]} points */
function curveOf(points) {
  const most = Math.max(...points.map((each) => each[3] ?? each[1]), 1e-9);
  const end = Math.max(points[points.length - 1][0], 1e-9);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => `${((WIDTH * x) / end).toFixed(1)},${(HEIGHT - (HEIGHT * y) / most).toFixed(1)}`;
  const banded = points.filter((each) => each[2] !== null && each[3] !== null);
  const band = [...banded.map((each) => at(each[0], each[3] ?? 0)), ...banded.reverse().map((each) => at(each[0], each[2] ?? 0))].join(" ");
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Curve, last value ${points[points.length - 1][1].toPrecision(3)}`, class: "curve" },
    band && s("polygon", { points: band, class: "band" }),
    s("polyline", { points: points.map((each) => at(each[0], each[1])).join(" "), class: "line" }),
  );
}
