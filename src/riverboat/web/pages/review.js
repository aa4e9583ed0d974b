/** Review: a file of hands is dropped, and every decision stands beside a strategy. */

import { get, once, post, remove } from "./api.js";
import { announce, fill, h, labelled, problem, select } from "./dom.js";
import { percent, signed } from "./numbers.js";
import { addressOf, go } from "./router.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {{hand: number, id: string, street: string, position: string, pot_type: string, line: string, board: string, hole: string, loss_bb: number, error_bb: number, result_bb: number | null, grade: {did: string, actions: Record<string, number>, source: string, exact: boolean, line: string}}} Row */
/** @typedef {{mean: number, interval_95: [number | null, number | null]}} Estimate */

const DOING = /** @type {Record<string, string>} */ ({ reading: "reads the file", values: "works out what every action is worth, once", luck: "works out what hands are worth, once", hands: "grades hands", streets: "solves turns and rivers" });
const NAMES = /** @type {Record<string, string>} */ ({ result: "as played", all_in: "all-in at expectation", aivat: "by AIVAT" });

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  let timer = 0;
  const again = (/** @type {() => void} */ work) => {
    clearTimeout(timer);
    timer = window.setTimeout(work, 700);
  };
  return {
    show: (query) => {
      clearTimeout(timer);
      void setUp(main, query, again);
    },
    leave: () => clearTimeout(timer),
  };
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 * @param {(work: () => void) => void} again
 */
async function setUp(main, query, again) {
  const found = h("section", { class: "stack", "aria-label": "Review" });
  try {
    const [strategies, reviews, bots] = await Promise.all([get("/strategies"), get("/reviews"), once("/bots")]);
    fill(main, h("h1", {}, "Review"), h("div", { class: "solve" }, found, form(strategies, reviews, bots)));
  } catch (error) {
    fill(main, h("h1", {}, "Review"), problem(error));
    return;
  }
  const id = query.get("review");
  if (id) void follow(found, id, again);
  else fill(found, h("p", { class: "quiet" }, "Take a file of your hands: PokerStars, PHH, OHH, ACPC or our own. It stays on this machine."));
}

/** @param {Api.Strategy[]} strategies @param {Api.ReviewState[]} reviews @param {Api.Bot[]} bots */
function form(strategies, reviews, bots) {
  const file = h("input", { type: "file", required: true });
  const names = strategies.filter((each) => each.kind !== "solution").map((each) => /** @type {[string, string]} */ ([each.name, each.name]));
  const strategy = select(names, "default");
  const player = h("input", { placeholder: "as the file says" });
  const known = bots.filter((each) => !each.needs_file).map((each) => /** @type {[string, string]} */ ([each.name, each.name]));
  const against = select([["", "somebody"], ...known], "");
  const solve = h("input", { type: "checkbox" });
  const wrong = h("div");
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen) return;
    try {
      const text = await chosen.text();
      const state = await post("/reviews", { text, name: chosen.name, strategy: strategy.value, player: player.value, solve: solve.checked, against: against.value });
      go("review", { review: state.id });
    } catch (error) {
      fill(wrong, problem(error));
    }
  };
  const old = reviews.map((each) => h("li", {}, h("a", { href: addressOf("review", { review: each.id }) }, `${each.name}: ${each.hands ? `${each.hands} hands` : each.state}`), " ", h("button", { type: "button", class: "plain", "aria-label": `Delete the review of ${each.name}`, onclick: () => void remove(`/reviews/${each.id}`).then(() => go("review")) }, "Delete")));
  return h(
    "form",
    { class: "card stack", onsubmit: send, "aria-label": "A file of hands" },
    labelled("Hands", file),
    labelled("Strategy", strategy),
    labelled("Player", player),
    labelled("The other was", against, "a bot: luck is taken out by AIVAT where all cards are known"),
    h("label", { class: "check" }, solve, "Solve turns and rivers in the background"),
    wrong,
    h("button", { type: "submit", class: "main" }, "Review"),
    old.length ? h("ul", { class: "library" }, old) : null,
  );
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 * @param {(work: () => void) => void} again
 */
async function follow(place, id, again) {
  try {
    /** @type {Api.ReviewState} */
    const state = await get(`/reviews/${encodeURIComponent(id)}`);
    draw(place, state);
    if (state.state === "running" || state.state === "solving") again(() => void follow(place, id, again));
    else announce(`The review is ${state.state}`);
  } catch (error) {
    fill(place, problem(error));
  }
}

/** @param {HTMLElement} place @param {Api.ReviewState} state */
function draw(place, state) {
  const rows = /** @type {Row[]} */ (/** @type {unknown} */ (state.decisions));
  const working = state.state === "running" || state.state === "solving";
  const far = state.total ? `: ${state.done} of ${state.total}` : " …";
  fill(
    place,
    working && h("p", { class: "status", role: "status" }, `It ${DOING[state.doing] ?? "begins"}${far}`),
    state.error && problem(state.error),
    state.hands > 0 && found(state, rows),
  );
}

/** @param {Api.ReviewState} state @param {Row[]} rows */
function found(state, rows) {
  const list = h("div", { class: "scroll" });
  const sum = h("output", { class: "quiet" });
  const filters = ["street", "position", "pot_type", "result"].map((name) => {
    const values = [...new Set(rows.map((row) => valueOf(row, name)))].sort();
    const all = /** @type {[string, string][]} */ ([["", "all"], ...values.map((value) => [value, value])]);
    return { name, choice: select(all, "", { onchange: () => show() }) };
  });
  const show = () => {
    const wanted = rows.filter((row) => filters.every(({ name, choice }) => !choice.value || valueOf(row, name) === choice.value));
    const total = wanted.reduce((all, row) => all + row.loss_bb, 0);
    sum.textContent = `${wanted.length} decisions, ${total.toFixed(2)} bb`;
    fill(list, table(wanted, state.strategy));
  };
  show();
  return h(
    "div",
    { class: "stack" },
    h("p", {}, `${state.hands} hands of ${state.player}, beside ${state.strategy}: ${state.graded} graded, ${state.multiway} with three or more players to the flop, not graded; ${state.refused} could not be read. `, state.state === "finished" && h("a", { href: `/api/v1/reviews/${state.id}/page`, download: "review.html" }, "Save as one file")),
    h("div", { class: "card" }, totals(state)),
    h("div", { class: "card stack" }, h("h2", {}, "Decisions that cost, the dearest first"), h("div", { class: "columns" }, filters.map(({ name, choice }) => labelled(name.replace("_", " "), choice))), sum, list),
    state.apart.length > 0 && h("details", { class: "card" }, h("summary", {}, `${state.apart.length} hands are not graded`), apart(state)),
    h("p", { class: "quiet" }, "A choice that the strategy makes, too, at least once in a hundred times, costs nothing. Rivers are exact for the hand; flop and turn are means over hands that the strategy plays alike; “solved” is exact to the accuracy beside it."),
  );
}

/** @param {Row} row @param {string} name */
function valueOf(row, name) {
  if (name !== "result") return String(/** @type {any} */ (row)[name]);
  return row.result_bb === null ? "not known" : row.result_bb > 0 ? "won" : row.result_bb < 0 ? "lost" : "even";
}

/** @param {Row[]} rows @param {string} strategy */
function table(rows, strategy) {
  const heads = ["hand", "street", "hole", "board", "line", "did", "the strategy", "cost, bb", "±", "by", "result"];
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, heads.map((each) => h("th", { scope: "col" }, each)))),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          h("td", {}, row.hand),
          h("td", {}, row.street),
          h("td", {}, row.hole),
          h("td", {}, row.board),
          h("td", {}, h("a", { href: addressOf("study", { strategy, line: row.grade.line, board: row.board, hand: row.hole }) }, row.line || "start")),
          h("td", {}, row.grade.did),
          h("td", {}, Object.entries(row.grade.actions).filter(([, share]) => share > 0).map(([action, share]) => `${action} ${percent(share)}`).join(", ")),
          h("td", {}, row.loss_bb.toFixed(2)),
          h("td", {}, (1.96 * row.error_bb).toFixed(2)),
          h("td", {}, row.grade.source),
          h("td", {}, row.result_bb === null ? "" : signed(row.result_bb)),
        ),
      ),
    ),
  );
}

/** @param {Api.ReviewState} state */
function totals(state) {
  const rows = /** @type {{street: string, decisions: number, mistakes: number, loss_bb: number, bb_per_100: Estimate}[]} */ (/** @type {unknown} */ (state.totals));
  const results = /** @type {Record<string, Estimate>} */ (/** @type {unknown} */ (state.results));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ["", "decisions", "not its choice", "cost, bb", "bb/100, 95 %"].map((each) => h("th", { scope: "col" }, each)))),
    h(
      "tbody",
      {},
      rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.street), h("td", {}, row.decisions), h("td", {}, row.mistakes), h("td", {}, row.loss_bb.toFixed(2)), h("td", {}, written(row.bb_per_100)))),
      Object.entries(results).map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, `won, ${NAMES[name] ?? name}`), h("td", { colspan: 3 }), h("td", {}, written(value)))),
    ),
  );
}

/** @param {Estimate} value */
export function written(value) {
  const [low, high] = value.interval_95;
  const margin = low === null || high === null ? "?" : ((high - low) / 2).toFixed(2);
  return `${value.mean.toFixed(2)} ± ${margin}`;
}

/** @param {Api.ReviewState} state */
function apart(state) {
  const hands = /** @type {{hand: number, hole: string, line: string, reason: string}[]} */ (/** @type {unknown} */ (state.apart));
  return h("ul", {}, hands.map((each) => h("li", {}, `${each.hand}: ${each.hole} ${each.line}: ${each.reason}`)));
}
