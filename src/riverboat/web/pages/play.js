/** Play: the form for a new table, and the table. */

import { Line, get, once, post, remove } from "./api.js";
import { announce, fill, h, labelled, problem, select, toast } from "./dom.js";
import { cardsWords } from "./cards.js";
import { go } from "./router.js";
import { settings } from "./settings.js";
import { drawTable } from "./table.js";
import { Moves } from "./moves.js";
import { drawChoices, drawNotes, drawResults } from "./notes.js";

/** @typedef {import("./router.js").Page} Page */

const PAUSE = 2500; // milliseconds before the next hand is dealt automatically
/** @type {[string, string][]} */
const KEYS = [
  ["F", "fold"],
  ["K  C", "check, call"],
  ["1  2  3 …", "bet a preset size"],
  ["B", "type a size: 120, half, 2/3, 75%, pot, all-in"],
  ["↑  ↓", "change the bet by one big blind"],
  ["Enter", "bet the chosen size"],
  ["S", "stand pat (discard games; 1 2 3 discard a card)"],
  ["Space", "deal the next hand"],
];

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  /** @type {TableView | null} */
  let view = null;
  return {
    keys: KEYS,
    show(query) {
      const id = query.get("table");
      if (view && view.id === id) {
        view.draw();
        return;
      }
      view?.leave();
      view = id ? new TableView(main, id) : null;
      if (!view) void setUp(main, query);
    },
    leave: () => view?.leave(),
    key: (event) => view?.key(event) ?? false,
  };
}

// ---- The form

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 */
async function setUp(main, query) {
  fill(main, h("h1", {}, "Play"), h("p", { class: "quiet" }, "…"));
  try {
    const [games, bots] = await Promise.all([once("/games"), once("/bots")]);
    if (!new URLSearchParams(location.search).get("table")) form(main, query, games, bots);
  } catch (error) {
    fill(main, h("h1", {}, "Play"), problem(error));
  }
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 * @param {Api.Game[]} games
 * @param {Api.Bot[]} bots
 */
function form(main, query, games, bots) {
  const game = select(games.map((item) => [item.name, item.name]), query.get("game") ?? "nolimit-100bb");
  const seats = h("input", { type: "number", min: 2, max: 9, value: query.get("seats") ?? "2" });
  const facts = h("small", { id: "game-said" });
  const opponents = h("div", { class: "stack" });
  const carry = h("input", { type: "checkbox", checked: query.get("carry") === "1" });
  const seconds = h("input", { type: "number", min: 0, max: 3600, step: 1, value: query.get("seconds") ?? "0" });
  const bank = h("input", { type: "number", min: 0, max: 36000, step: 10, value: query.get("bank") ?? "0" });
  const errors = h("div");
  const named = (query.get("opponents") ?? "").split(",").filter(Boolean);

  const drawOpponents = () => {
    const chosen = [...opponents.querySelectorAll("select")].map((field) => field.value);
    const count = Math.max(1, Math.min(8, Number(seats.value) - 1 || 1));
    fill(opponents, Array.from({ length: count }, (_, place) => opponent(place, chosen[place] ?? named[place] ?? "")));
  };
  /** @param {number} place @param {string} chosen */
  const opponent = (place, chosen) => {
    const standard = /** @type {[string, string]} */ (["", "Default bot"]);
    const options = bots.filter((bot) => !bot.needs_file).map((bot) => /** @type {[string, string]} */ ([bot.name, `${bot.name}: ${bot.line}`]));
    return labelled(`Seat ${place + 2}`, select([standard, ...options], chosen, { "data-key": `seat${place}` }));
  };
  const drawGame = () => {
    const spec = games.find((item) => item.name === game.value);
    if (!spec) return;
    if (game.value !== game.dataset.was) seats.value = String(game.dataset.was ? spec.players : seats.value);
    game.dataset.was = game.value;
    facts.textContent = `${spec.betting}, ${spec.streets.length} ${spec.streets.length === 1 ? "street" : "streets"}, stack ${spec.stack}${spec.big_blind ? `, big blind ${spec.big_blind}` : ""}`;
    drawOpponents();
  };
  const asked = () => {
    const chosen = [...opponents.querySelectorAll("select")].map((field) => field.value);
    const filled = chosen.find(Boolean) ?? "";
    return {
      game: game.value,
      seats: Number(seats.value),
      opponents: filled ? chosen.map((bot) => bot || filled).join(",") : "",
      carry: carry.checked,
      seconds: Number(seconds.value) || 0,
      bank: Number(bank.value) || 0,
    };
  };
  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const table = await post("/tables", asked());
      await post(`/tables/${table.id}/move`, { version: table.version, move: "deal" });
      go("play", { table: table.id });
    } catch (error) {
      fill(errors, problem(error));
    }
  };
  game.addEventListener("change", drawGame);
  seats.addEventListener("input", drawOpponents);
  fill(
    main,
    h("h1", {}, "Play"),
    h(
      "form",
      { class: "card stack narrow", onsubmit: sit },
      h("div", { class: "columns" }, h("div", {}, labelled("Game", game), facts), labelled("Seats (including you)", seats)),
      h("fieldset", {}, h("legend", {}, "Opponents"), opponents),
      h(
        "details",
        { open: Boolean(Number(seconds.value) || carry.checked) },
        h("summary", {}, "Stacks and clock"),
        h("label", { class: "check" }, carry, "Carry stacks over"),
        h("div", { class: "columns" }, labelled("Time per decision (s)", seconds, "0 = no limit"), labelled("Time bank (s)", bank)),
      ),
      errors,
      h("button", { type: "submit", class: "main" }, "Sit down"),
    ),
    lastTable(),
  );
  drawGame();
}

/** Return a link to the table that is still open. */
function lastTable() {
  const id = sessionStorage.getItem("table");
  return id ? h("p", {}, h("a", { href: `/play?table=${encodeURIComponent(id)}` }, "Return to your table")) : null;
}

// ---- The table

class TableView {
  /** @type {Api.TableState | null} */
  state = null;
  #timer = 0;
  #announced = "";

  /**
   * @param {HTMLElement} main
   * @param {string} id
   */
  constructor(main, id) {
    this.id = id;
    this.parts = {
      status: h("p", { class: "status", role: "status" }),
      felt: h("section", { class: "felt", "aria-label": "Table" }),
      moves: h("section", { class: "moves", "aria-label": "Your move" }),
      notes: h("section", { class: "card notes", "aria-label": "Hand history" }),
      results: h("section", { class: "card results", "aria-label": "Results" }),
      choices: h("section", { class: "card", "aria-label": "The bot in your seat", hidden: true }),
    };
    this.moves = new Moves(this.parts.moves, (move) => this.send(move));
    const leave = h("button", { type: "button", class: "plain", onclick: () => void this.quit() }, "Leave table");
    const side = h("aside", { class: "side" }, this.parts.results, this.parts.choices, this.parts.notes, leave);
    fill(
      main,
      h("h1", { class: "unseen" }, "Play"),
      h("div", { class: "play" }, h("div", { class: "play-main" }, this.parts.status, this.parts.felt, this.parts.moves), side),
    );
    sessionStorage.setItem("table", id);
    this.line = new Line(`/tables/${encodeURIComponent(id)}/play`, {
      message: (value) => this.take(value),
      state: (open) => this.say(open ? "" : "Connection lost, reconnecting …"),
      refused: (why) => this.refused(why),
    });
  }

  /** @param {Api.TableState | {error: string}} value */
  take(value) {
    if ("error" in value) {
      toast(value.error);
      announce(value.error);
      this.moves.enable();
      return;
    }
    this.state = value;
    this.draw();
    this.announce(value);
    clearTimeout(this.#timer);
    if (value.phase === "over" && settings.deal === "yes") {
      this.#timer = window.setTimeout(() => this.send("deal"), PAUSE);
    }
  }

  draw() {
    const state = this.state;
    if (!state) return;
    drawTable(this.parts.felt, state);
    this.moves.draw(state);
    drawNotes(this.parts.notes, state);
    drawResults(this.parts.results, state);
    this.say(state.wait || state.problem);
    if (state.phase !== "over") this.parts.choices.hidden = true;
    else if (this.parts.choices.hidden) this.#offer();
  }

  /** Offer to show what the bot would have done in this hand. */
  #offer() {
    const ask = async () => {
      try {
        drawChoices(this.parts.choices, await get(`/tables/${encodeURIComponent(this.id)}/choices`), this.state);
      } catch (error) {
        fill(this.parts.choices, problem(error));
      }
    };
    this.parts.choices.hidden = false;
    fill(this.parts.choices, h("button", { type: "button", "data-key": "choices", onclick: () => void ask() }, "What would the bot have done?"));
  }

  /** @param {string} move */
  send(move) {
    const version = this.state?.version ?? 0;
    if (!this.line.send({ version, move })) {
      this.say("Connection lost, reconnecting …");
      this.moves.enable();
    }
  }

  /** Announce the last actions and whose turn it is to screen readers. @param {Api.TableState} state */
  announce(state) {
    const last = state.notes.slice(-3).map((note) => noteWords(note, state)).join(". ");
    const turn = state.phase === "yours" ? `Your turn. Pot ${state.pot}${state.to_call ? `, ${state.to_call} to call` : ""}.` : "";
    const cards = state.board.length ? `Board: ${cardsWords(state.board)}.` : "";
    const words = `${last}. ${cards} ${turn}`;
    if (words !== this.#announced) announce(words);
    this.#announced = words;
  }

  /** Show a status. @param {string} words */
  say(words) {
    this.parts.status.textContent = words;
  }

  /** @param {string} why */
  refused(why) {
    sessionStorage.removeItem("table");
    this.say("");
    fill(
      this.parts.felt,
      h("div", { class: "centre" }, h("p", {}, why || "This table is closed."), h("a", { class: "button", href: "/play" }, "New table")),
    );
    this.parts.moves.replaceChildren();
  }

  async quit() {
    this.leave();
    sessionStorage.removeItem("table");
    try {
      await remove(`/tables/${encodeURIComponent(this.id)}`);
      toast("You left the table. The session was saved in the ledger.");
    } catch (error) {
      toast(String(error));
    }
    go("play");
  }

  leave() {
    clearTimeout(this.#timer);
    this.moves.end();
    this.line.close();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.moves.key(event);
  }
}

/**
 * @param {Api.Note} note
 * @param {Api.TableState} state
 */
function noteWords(note, state) {
  const who = note.chair === null ? "" : `${state.chairs[note.chair].name} `;
  return who + note.words;
}
