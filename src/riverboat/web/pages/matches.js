/** Matches: bots against bots, with confidence intervals; stop and resume. */

import { Line, get, once, post, remove } from "./api.js";
import { fill, h, labelled, problem, select, toast } from "./dom.js";
import { chips, signed } from "./numbers.js";
import { drawRun } from "./runs.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {{mean: number | null, interval_95: (number | null)[]} | null} Estimate */
/** @typedef {{winner: string | null, leader: string, mean: number, interval_95: (number | null)[], tells_mbb_per_hand: number | null, hands_needed: number | null}} Verdict */
/** @typedef {{bot: string, chips: number, bb_per_100: Estimate, corrected_mbb_per_hand: Estimate}} Row */

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  const list = new MatchList();
  return {
    show: (query) => void setUp(main, query, list),
    leave: () => list.leave(),
  };
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 * @param {MatchList} list
 */
async function setUp(main, query, list) {
  try {
    const [games, bots] = await Promise.all([once("/games"), once("/bots"), list.load()]); // all at once: nothing shifts
    fill(main, h("h1", {}, "Matches"), h("div", { class: "solve" }, list.element, form(query, games, bots, list)));
  } catch (error) {
    fill(main, h("h1", {}, "Matches"), problem(error));
  }
}

/**
 * @param {URLSearchParams} query
 * @param {Api.Game[]} games
 * @param {Api.Bot[]} bots
 * @param {MatchList} list
 */
function form(query, games, bots, list) {
  const named = (query.get("bots") ?? "blueprint,fish").split(",");
  const game = select(games.map((item) => [item.name, item.name]), query.get("game") ?? "nolimit-100bb");
  const seats = h("input", { type: "number", min: 2, max: 9, value: String(Math.max(2, named.length)) });
  const hands = h("input", { type: "number", min: 2, max: 1000000, value: query.get("hands") ?? "2000" });
  const seed = h("input", { type: "number", min: 0, value: query.get("seed") ?? "0" });
  const places = h("div", { class: "stack" });
  const errors = h("div");
  const draw = () => {
    const chosen = [...places.querySelectorAll("select")].map((field) => field.value);
    const options = bots.filter((bot) => !bot.needs_file).map((bot) => /** @type {[string, string]} */ ([bot.name, `${bot.name}: ${bot.line}`]));
    const count = Math.max(2, Math.min(9, Number(seats.value) || 2));
    fill(places, Array.from({ length: count }, (_, place) => labelled(`Bot ${place + 1}`, select(options, chosen[place] ?? named[place] ?? "random", { "data-key": `bot${place}` }))));
  };
  const start = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = [...places.querySelectorAll("select")].map((field) => field.value);
    try {
      await post("/matches", { bots: chosen, game: game.value, hands: Number(hands.value), seed: Number(seed.value) });
      fill(errors);
      await list.load();
    } catch (error) {
      fill(errors, problem(error));
    }
  };
  seats.addEventListener("input", draw);
  game.addEventListener("change", () => {
    seats.value = String(games.find((item) => item.name === game.value)?.players ?? seats.value);
    draw();
  });
  draw();
  return h(
    "form",
    { class: "card stack", onsubmit: start, "aria-label": "New match" },
    h("h2", {}, "New match"),
    labelled("Game", game),
    h("div", { class: "columns" }, labelled("Seats", seats), labelled("Hands", hands), labelled("Random seed", seed)),
    places,
    errors,
    h("button", { type: "submit", class: "main" }, "Start match"),
  );
}

/** The list of matches; running ones update themselves. */
class MatchList {
  /** @type {Map<string, {state: Api.MatchState, place: HTMLElement, line: Line | null}>} */
  #matches = new Map();

  constructor() {
    this.element = h("section", { class: "stack", "aria-label": "Matches" });
  }

  /** Load the matches from the server. */
  async load() {
    /** @type {Api.MatchState[]} */
    const states = await get("/matches");
    this.leave();
    for (const state of states.reverse()) this.#matches.set(state.id, { state, place: h("article", { class: "card stack match", "data-match": state.id }), line: null });
    const places = [...this.#matches.values()].map((match) => match.place);
    fill(this.element, places.length ? places : h("p", { class: "quiet" }, "No matches yet. Choose two bots and start: 2,000 hands take seconds."));
    for (const state of states) this.#take(state);
  }

  /** @param {Api.MatchState} state */
  #take(state) {
    const match = this.#matches.get(state.id);
    if (!match) return;
    match.state = state;
    drawMatch(match.place, state, (work) => void this.#do(work));
    const runs = state.state === "running" || state.state === "waiting";
    if (runs && !match.line) match.line = new Line(`/matches/${state.id}/progress`, { message: (value) => this.#take(value), state: () => {}, refused: () => {} });
    if (!runs) {
      match.line?.close();
      match.line = null;
    }
  }

  /** @param {() => Promise<unknown>} work */
  async #do(work) {
    try {
      await work();
      await this.load();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }

  leave() {
    for (const match of this.#matches.values()) match.line?.close();
    this.#matches.clear();
  }
}

/**
 * @param {HTMLElement} place
 * @param {Api.MatchState} state
 * @param {(work: () => Promise<unknown>) => void} act
 */
function drawMatch(place, state, act) {
  const path = `/matches/${state.id}`;
  const runs = state.state === "running" || state.state === "waiting";
  const button = (/** @type {string} */ words, /** @type {() => Promise<unknown>} */ work, kind = "") => h("button", { type: "button", class: kind, "data-key": `${words}${state.id}`, onclick: () => act(work) }, words);
  drawRun(place, {
    id: state.id,
    name: state.asked.bots.join(" · "),
    about: [state.asked.game, `${chips(state.asked.hands ?? 0)} hands`, `seed ${state.asked.seed}`].join(" · "),
    state: state.state,
    share: state.done / Math.max(1, state.deals),
    progress: `${chips(state.done)} of ${chips(state.deals)} deals`,
    secondsLeft: state.seconds_left,
    words: state.result ? resultWords(state) : "",
    problem: state.problem,
    curve: /** @type {import("./runs.js").Point[]} */ (/** @type {unknown} */ (state.curve)),
    measure: `${state.asked.bots[0]}, ${state.unit}, 95 % confidence interval, over hands`,
    more: [state.result && drawResult(/** @type {{bots: Row[]}} */ (state.result).bots)],
    buttons: [
      runs ? button("Stop", () => post(`${path}/stop`)) : null,
      state.state === "stopped" || state.state === "failed" ? button("Resume", () => post(`${path}/resume`)) : null,
      runs ? null : button("Delete", () => remove(path), "plain danger"),
    ],
  });
}

/** State the result. @param {Api.MatchState} state */
function resultWords(state) {
  const result = /** @type {{verdict: Verdict | null}} */ (state.result);
  const verdict = result.verdict;
  const hands = `${chips(state.asked.hands ?? 0)} hands`;
  if (!verdict) return `Finished after ${hands}.`;
  const [low, high] = verdict.interval_95.map((bound) => (bound === null ? null : bound / 10));
  if (low === 0 && high === 0) return `Even: exactly equal results after ${hands}.`;
  if (!verdict.winner) {
    const needed = verdict.hands_needed ? ` About ${chips(verdict.hands_needed)} hands would show a difference of ${(verdict.tells_mbb_per_hand ?? 0) / 10} ${state.unit}.` : "";
    return `Inconclusive after ${hands}.${needed}`;
  }
  const interval = low === null || high === null ? "" : ` (${signed(low)} to ${signed(high)})`;
  return `${verdict.winner} wins: ${signed(verdict.mean / 10)} ${state.unit}${interval}.`;
}

/** @param {Row[]} rows */
function drawResult(rows) {
  const heads = ["Bot", "Chips", "bb / 100", "95 % confidence interval"];
  const body = rows.map((row) => {
    const [low, high] = row.bb_per_100?.interval_95 ?? [null, null];
    const interval = low === null || high === null ? "–" : `${signed(low)} to ${signed(high)}`;
    return h("tr", {}, h("th", { scope: "row" }, row.bot), h("td", {}, signed(row.chips, 0)), h("td", {}, row.bb_per_100?.mean == null ? "–" : signed(row.bb_per_100.mean)), h("td", {}, interval));
  });
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Result" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, body)));
}
