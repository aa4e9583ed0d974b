/** Review: upload a file of hands and compare every decision with a strategy. */

import { get, once, post, remove } from "./api.js";
import { withCards } from "./cards.js";
import { announce, fill, h, labelled, problem, select } from "./dom.js";
import { moveWords } from "./notes.js";
import { chips, duration, percent, signed } from "./numbers.js";
import { addressOf, go } from "./router.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {{hand: number, id: string, street: string, position: string, pot_type: string, line: string, board: string, hole: string, loss_bb: number, error_bb: number, result_bb: number | null, grade: {did: string, actions: Record<string, number>, source: string, exact: boolean, line: string}}} Row */
/** @typedef {{mean: number, interval_95: [number | null, number | null]}} Estimate */

const DOING = /** @type {Record<string, string>} */ ({ reading: "Reading the file", values: "Computing the EV of every action (first time only)", luck: "Computing values for AIVAT (first time only)", hands: "Grading hands", streets: "Solving turns and rivers" });
const NAMES = /** @type {Record<string, string>} */ ({ result: "as played", all_in: "with all-in EV", aivat: "with AIVAT" });
const POLL = 1500; // milliseconds between requests while a review runs
const LISTED = 500; // the most that the server sends

/**
 * @typedef {object} Now  what the page shows
 * @property {number} turn  changes when the page shows another review or is left
 * @property {number} timer
 * @property {Record<string, string>} chosen  filters
 * @property {string} drawn  the state that was drawn last
 */

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  /** @type {Now} */
  const now = { turn: 0, timer: 0, chosen: {}, drawn: "" };
  const end = () => {
    clearTimeout(now.timer);
    Object.assign(now, { turn: now.turn + 1, chosen: {}, drawn: "" });
  };
  return {
    show: (query) => {
      end();
      void setUp(main, query, now);
    },
    leave: end,
  };
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 * @param {Now} now
 */
async function setUp(main, query, now) {
  const turn = now.turn;
  const place = h("section", { class: "stack", "aria-label": "Review" });
  const earlier = h("div");
  try {
    const [strategies, reviews, bots] = await Promise.all([get("/strategies"), get("/reviews"), once("/bots")]);
    if (turn !== now.turn) return;
    fill(earlier, library(reviews));
    fill(main, h("h1", {}, "Review"), h("div", { class: "solve" }, place, form(strategies, bots, earlier)));
  } catch (error) {
    fill(main, h("h1", {}, "Review"), problem(error));
    return;
  }
  const id = query.get("review");
  if (id) void follow(place, id, now, earlier);
  else fill(place, empty());
}

/** What is there before the first review: an example that works. */
function empty() {
  const errors = h("div");
  const sample = async () => {
    try {
      const { id } = await post("/sessions/sample/review");
      go("review", { review: id });
    } catch (error) {
      fill(errors, problem(error));
    }
  };
  return h("div", { class: "card stack" }, h("p", {}, "Choose a file of hand histories: PokerStars, PHH, OHH, ACPC or Riverboat. It stays on this machine."), h("div", { class: "row" }, h("button", { type: "button", onclick: () => void sample() }, "Review sample hands"), h("a", { href: "/sessions" }, "Your sessions")), errors);
}

/** @param {Api.Strategy[]} strategies @param {Api.Bot[]} bots @param {HTMLElement} earlier */
function form(strategies, bots, earlier) {
  const file = h("input", { type: "file", required: true });
  const names = strategies.filter((item) => item.kind !== "solution").map((item) => /** @type {[string, string]} */ ([item.name, item.name]));
  const strategy = select(names, "default");
  const player = h("input", { placeholder: "empty = the hero of the file" });
  const known = bots.filter((bot) => !bot.needs_file).map((bot) => /** @type {[string, string]} */ ([bot.name, bot.name]));
  const against = select([["", "human or unknown"], ...known], "");
  const solve = h("input", { type: "checkbox" });
  const errors = h("div");
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen) return;
    try {
      const text = await chosen.text();
      const state = await post("/reviews", { text, name: chosen.name, strategy: strategy.value, player: player.value, solve: solve.checked, against: against.value });
      go("review", { review: state.id });
    } catch (error) {
      fill(errors, problem(error));
    }
  };
  return h(
    "form",
    { class: "card stack", onsubmit: send, "aria-label": "New review" },
    labelled("Hand history file", file),
    labelled("Strategy", strategy),
    labelled("Player", player),
    labelled("Opponent", against, "For a bot, results are luck-adjusted with AIVAT"),
    h("label", { class: "check" }, solve, "Solve turns and rivers"),
    errors,
    h("button", { type: "submit", class: "main" }, "Review"),
    earlier,
  );
}

/** @param {Api.ReviewState} state */
function works(state) {
  return state.state === "waiting" || state.state === "running" || state.state === "solving";
}

/** @param {Api.ReviewState[]} reviews */
function library(reviews) {
  const items = reviews.map((review) => h("li", {}, h("a", { href: addressOf("review", { review: review.id }) }, `${review.name}: ${listed(review)}`), " ", h("button", { type: "button", class: "plain", "aria-label": `Delete the review of ${review.name}`, onclick: () => void remove(`/reviews/${review.id}`).then(() => go("review")) }, "Delete")));
  return items.length ? h("ul", { class: "library" }, items) : null;
}

/** @param {Api.ReviewState} state */
function listed(state) {
  if (state.state === "failed" || state.state === "stopped") return state.state;
  return state.hands ? `${chips(state.hands)} hands${state.state === "finished" ? "" : `, ${state.state}`}` : state.state;
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 * @param {Now} now
 * @param {HTMLElement} earlier  the list of reviews
 */
async function follow(place, id, now, earlier) {
  const turn = now.turn;
  try {
    /** @type {Api.ReviewState} */
    const state = await get(`/reviews/${encodeURIComponent(id)}`);
    if (turn !== now.turn) return;
    draw(place, state, now);
    if (works(state)) now.timer = window.setTimeout(() => void follow(place, id, now, earlier), POLL);
    else {
      announce(`Review ${state.state}`);
      const reviews = await get("/reviews");
      if (turn === now.turn) fill(earlier, library(reviews));
    }
  } catch (error) {
    if (turn === now.turn) fill(place, problem(error));
  }
}

/**
 * Redraw if something changed, unless the user is choosing a filter.
 * @param {HTMLElement} place
 * @param {Api.ReviewState} state
 * @param {Now} now
 */
function draw(place, state, now) {
  const rows = /** @type {Row[]} */ (/** @type {unknown} */ (state.decisions));
  const working = works(state);
  const left = state.seconds_left ? `, ${duration(state.seconds_left)} left` : "";
  const progress = state.total ? `: ${state.done} of ${state.total}${left}` : " …";
  const words = working ? `${DOING[state.doing] ?? "Starting"}${progress}` : "";
  const key = JSON.stringify([state.error, state.decisions, state.state]);
  const status = place.querySelector(".status");
  const choosing = working && document.activeElement instanceof HTMLSelectElement && place.contains(document.activeElement);
  if (status && (key === now.drawn || choosing)) {
    status.textContent = words;
    return;
  }
  now.drawn = key;
  const top = place.querySelector(".scroll")?.scrollTop ?? 0;
  fill(
    place,
    working && h("p", { class: "status", role: "status" }, words),
    state.error && problem(state.error),
    state.state === "stopped" && h("div", { class: "row" }, h("p", { class: "quiet" }, "This review was stopped. Solved spots are kept."), h("button", { type: "button", onclick: () => void post(`/reviews/${state.id}/resume`).then(() => go("review", { review: state.id })) }, "Resume")),
    state.hands > 0 && results(state, rows, now.chosen),
  );
  place.querySelector(".scroll")?.scrollTo(0, top);
}

/** @param {Api.ReviewState} state @param {Row[]} rows @param {Record<string, string>} chosen */
function results(state, rows, chosen) {
  const more = state.left_out ? `; ${chips(state.left_out)} smaller mistakes are not listed` : "";
  const list = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Decisions" });
  const sum = h("output", { class: "quiet" });
  const filters = ["street", "position", "pot_type", "result"].map((name) => {
    const values = [...new Set(rows.map((row) => valueOf(row, name)))].sort();
    const all = /** @type {[string, string][]} */ ([["", "all"], ...values.map((value) => [value, value])]);
    return { name, choice: select(all, values.includes(chosen[name]) ? chosen[name] : "", { "data-key": name, onchange: () => show() }) };
  });
  const show = () => {
    for (const { name, choice } of filters) chosen[name] = choice.value;
    const wanted = rows.filter((row) => filters.every(({ name, choice }) => !choice.value || valueOf(row, name) === choice.value));
    const total = wanted.reduce((all, row) => all + row.loss_bb, 0);
    sum.textContent = `${wanted.length} decisions, ${total.toFixed(2)} bb${more}`;
    fill(list, table(wanted, state.strategy));
  };
  show();
  return h(
    "div",
    { class: "stack" },
    h("p", {}, `${chips(state.hands)} hands of ${state.player}, compared with ${state.strategy}: ${chips(state.graded)} graded, ${chips(state.multiway)} multiway (not graded), ${chips(state.refused)} not readable. `, state.state === "finished" && h("a", { href: `/api/v1/reviews/${state.id}/page`, download: "review.html" }, "Save as HTML page")),
    h("div", { class: "card scroll", tabindex: 0, role: "region", "aria-label": "Totals" }, totals(state)),
    h("div", { class: "card stack" }, h("h2", {}, "Your biggest mistakes"), h("div", { class: "columns" }, filters.map(({ name, choice }) => labelled(name.replace("_", " "), choice))), sum, list),
    state.apart.length > 0 && h("details", { class: "card" }, h("summary", {}, `Hands not graded: ${state.apart.length < LISTED ? state.apart.length : `first ${LISTED}`}`), apart(state)),
    h("p", { class: "quiet" }, "An action that the strategy takes at least 1 % of the time has an EV loss of 0. Plays better than the strategy's count as negative loss in the totals and are not listed. EV losses are exact for the hand on the river, bucket averages before it; “solved” is exact to the accuracy shown."),
  );
}

/** @param {Row} row @param {string} name */
function valueOf(row, name) {
  if (name !== "result") return String(/** @type {any} */ (row)[name]);
  return row.result_bb === null ? "unknown" : row.result_bb > 0 ? "won" : row.result_bb < 0 ? "lost" : "even";
}

/** @param {Row[]} rows @param {string} strategy */
function table(rows, strategy) {
  const heads = ["hand", "street", "hole", "board", "line", "your action", "strategy", "EV loss (bb)", "±", "source", "result (bb)"];
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          h("td", {}, row.hand),
          h("td", {}, row.street),
          h("td", {}, withCards(row.hole)),
          h("td", {}, withCards(row.board)),
          h("td", {}, h("a", { href: addressOf("study", { strategy, line: row.grade.line, board: row.board, hand: row.hole }) }, row.line || "start")),
          h("td", {}, moveWords(row.grade.did)),
          h("td", {}, Object.entries(row.grade.actions).filter(([, share]) => share > 0).map(([action, share]) => `${moveWords(action)} (${percent(share)})`).join(", ")),
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
    h("thead", {}, h("tr", {}, ["", "decisions", "mistakes", "EV loss (bb)", "bb/100 (95 % CI)"].map((head) => h("th", { scope: "col" }, head)))),
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
  const margin = low === null || high === null ? "" : ` ± ${((high - low) / 2).toFixed(2)}`;
  return `${value.mean.toFixed(2)}${margin}`;
}

/** @param {Api.ReviewState} state */
function apart(state) {
  const hands = /** @type {{hand: number, hole: string, line: string, reason: string}[]} */ (/** @type {unknown} */ (state.apart));
  return h("ul", {}, hands.map(({ hand, hole, line, reason }) => h("li", {}, `${hand}: ${hole} ${line}: ${reason}`)));
}
