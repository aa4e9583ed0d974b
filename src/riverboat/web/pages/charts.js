/** Charts: what a strategy does before the flop, by position. */

import { get } from "./api.js";
import { fill, h, labelled, problem, select } from "./dom.js";
import { matrix } from "./matrix.js";
import { percent } from "./numbers.js";
import { addressOf, go } from "./router.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {{action: string, words: string, colour: string, frequency: number | null}} Action */
/** @typedef {{title: string, line: string, share: number, actions: Action[], classes: {hand: string, reach: number | null, strategy: (number | null)[]}[]}} Chart */

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  return { show: (query) => void draw(main, query.get("strategy") ?? "default"), leave: () => {} };
}

/** @param {HTMLElement} main @param {string} strategy */
async function draw(main, strategy) {
  try {
    const [known, found] = await Promise.all([get("/strategies"), get(`/charts?strategy=${encodeURIComponent(strategy)}`)]);
    const names = known.filter((/** @type {Api.Strategy} */ each) => each.kind !== "solution").map((/** @type {Api.Strategy} */ each) => [each.name, each.name]);
    const choice = select(names, strategy, { onchange: () => go("charts", { strategy: choice.value }) });
    fill(
      main,
      h("h1", {}, "Preflop charts"),
      h(
        "div",
        { class: "row" },
        labelled("Strategy", choice),
        h("a", { href: `/api/v1/charts/page?strategy=${encodeURIComponent(strategy)}`, download: "charts.html" }, "Save a page to print"),
        h("span", { class: "quiet" }, `${found.depth_bb} big blinds, as played`),
      ),
      h("div", { class: "ranges charts" }, found.charts.map((/** @type {Chart} */ each) => chartOf(each, strategy))),
    );
  } catch (error) {
    fill(main, h("h1", {}, "Preflop charts"), problem(error));
  }
}

/** @param {Chart} chart @param {string} strategy */
function chartOf(chart, strategy) {
  const grid = matrix(chart.title);
  const place = h(
    "figure",
    { class: "card stack chart" },
    h("figcaption", {}, h("a", { href: addressOf("study", { strategy, line: chart.line }) }, chart.title), ` ${chart.line ? `after ${chart.line}, ` : ""}in ${percent(chart.share, 1)} of hands`),
    grid,
    h("div", { class: "row" }, chart.actions.map((each) => h("span", { class: "key", style: { "--colour": each.colour } }, `${each.words} ${each.frequency === null ? "" : percent(each.frequency, 1)}`))),
  );
  queueMicrotask(() => {
    grid.cells = cellsOf(chart);
  });
  return place;
}

/** @param {Chart} chart @returns {import("./matrix.js").Cell[]} */
export function cellsOf(chart) {
  const most = Math.max(0.01, ...chart.classes.map((each) => each.reach ?? 0));
  return chart.classes.map((each) => {
    const shares = each.strategy.map((share) => share ?? 0);
    const words = chart.actions.map((action, place) => `${action.words} ${percent(shares[place])}`).join(", ");
    const segments = chart.actions.map((action, place) => ({ colour: action.colour, share: shares[place] })).filter((part) => part.share > 0);
    return { segments, dim: 0.42 + 0.58 * Math.sqrt((each.reach ?? 0) / most), words };
  });
}
