/** Charts: the preflop charts of a strategy, by position. */

import { get } from "./api.js";
import { fill, h, labelled, problem, select } from "./dom.js";
import { matrix } from "./matrix.js";
import { percent } from "./numbers.js";
import { addressOf, go } from "./router.js";
import { settings } from "./settings.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {{action: string, words: string, colour: string, frequency: number | null}} Action */
/** @typedef {{title: string, line: string, share: number, actions: Action[], classes: {hand: string, reach: number | null, strategy: (number | null)[]}[]}} Chart */

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  return { show: (query) => void draw(main, query.get("strategy") ?? "default"), leave: () => {} };
}

/** Takes the place of a strategy name: compare all strategies by stack depth. */
const ALL = "all";

/** @param {HTMLElement} main @param {string} strategy */
async function draw(main, strategy) {
  try {
    const request = strategy === ALL ? get(`/charts/depths?palette=${settings.palette}`) : get(`/charts?strategy=${encodeURIComponent(strategy)}&palette=${settings.palette}`).then((book) => [book]);
    /** @type {[Api.Strategy[], Api.Charts[]]} */
    const [known, books] = await Promise.all([get("/strategies"), request]);
    const names = known.filter((item) => item.kind !== "solution").map((item) => /** @type {[string, string]} */ ([item.name, item.name]));
    const choice = select([...names, [ALL, "All strategies, by stack depth"]], strategy, { onchange: () => go("charts", { strategy: choice.value }) });
    fill(
      main,
      h("h1", {}, "Preflop charts"),
      h(
        "div",
        { class: "row" },
        labelled("Strategy", choice),
        h("a", { href: `/api/v1/charts/page?strategy=${encodeURIComponent(strategy)}&palette=${settings.palette}`, download: "charts.html" }, "Save as printable page"),
        strategy !== ALL && h("span", { class: "quiet" }, `${books[0].depth_bb} bb, ${books[0].shown}. Dimmed: rarely reached.`),
      ),
      strategy === ALL ? byDepth(books) : h("div", { class: "ranges charts" }, chartsOf(books[0]).map((chart) => chartOf(chart, strategy))),
    );
  } catch (error) {
    fill(main, h("h1", {}, "Preflop charts"), problem(error));
  }
}

/** @param {Api.Charts} book */
const chartsOf = (book) => /** @type {Chart[]} */ (/** @type {unknown} */ (book.charts));

/** The same situation at all stack depths, side by side. @param {Api.Charts[]} books */
function byDepth(books) {
  const titles = [...new Set(books.flatMap((book) => chartsOf(book).map((chart) => chart.title)))];
  return titles.map((title) => {
    const figures = books.map((book) => {
      const chart = chartsOf(book).find((item) => item.title === title); // the most frequent line of the situation
      return chart && chartOf(chart, book.name, `${book.depth_bb} bb (${book.name})`);
    });
    return h("section", { "aria-label": title }, h("h2", {}, title), h("div", { class: "ranges charts" }, figures));
  });
}

/** @param {Chart} chart @param {string} strategy @param {string} [depth] */
function chartOf(chart, strategy, depth = "") {
  const name = depth || chart.title;
  const grid = matrix(`${chart.title} ${depth}`);
  const place = h(
    "figure",
    { class: "card stack chart" },
    h("figcaption", {}, h("a", { href: addressOf("study", { strategy, line: chart.line }) }, name), ` ${chart.line ? `after ${chart.line}, ` : ""}in ${percent(chart.share, 1)} of hands`),
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
