/** Play: a table set up, and the table itself. */

import { Line, get, once, post, remove } from "./api.js";
import { announce, fill, h, labelled, problem, select, toast } from "./dom.js";
import { cardsWords } from "./cards.js";
import { go } from "./router.js";
import { settings } from "./settings.js";
import { drawTable } from "./table.js";
import { Moves } from "./moves.js";
import { drawChoices, drawNotes, drawResults } from "./notes.js";

/** @typedef {import("./router.js").Page} Page */

const PAUSE = 2500; // milliseconds before a hand that is dealt by itself
/** @type {[string, string][]} */
const KEYS = [
  ["F", "fold"],
  ["K  C", "check, call"],
  ["1  2  3 …", "bet a size of the list"],
  ["B", "type a size: 120, half, 2/3, 75%, pot, all-in"],
  ["↑  ↓", "bet a big blind more or less (in the slider)"],
  ["Enter", "bet what is chosen"],
  ["S", "stand, where cards are thrown away; 1 2 3 throw one away"],
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

// ---- Setting up

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
  const game = select(games.map((each) => [each.name, each.name]), query.get("game") ?? "nolimit-100bb");
  const seats = h("input", { type: "number", min: 2, max: 9, value: query.get("seats") ?? "2" });
  const said = h("small", { id: "game-said" });
  const opponents = h("div", { class: "stack" });
  const carry = h("input", { type: "checkbox", checked: query.get("carry") === "1" });
  const seconds = h("input", { type: "number", min: 0, max: 3600, step: 1, value: query.get("seconds") ?? "0" });
  const bank = h("input", { type: "number", min: 0, max: 36000, step: 10, value: query.get("bank") ?? "0" });
  const wrong = h("div");
  const named = (query.get("opponents") ?? "").split(",").filter(Boolean);

  const drawOpponents = () => {
    const chosen = [...opponents.querySelectorAll("select")].map((each) => each.value);
    const many = Math.max(1, Math.min(8, Number(seats.value) - 1 || 1));
    fill(opponents, Array.from({ length: many }, (_, place) => opponent(place, chosen[place] ?? named[place] ?? "")));
  };
  /** @param {number} place @param {string} chosen */
  const opponent = (place, chosen) => {
    const usual = /** @type {[string, string]} */ (["", "the usual one: the trained strategy, where there is one"]);
    const options = bots.filter((bot) => !bot.needs_file).map((bot) => /** @type {[string, string]} */ ([bot.name, `${bot.name}: ${bot.line}`]));
    return labelled(`Seat ${place + 2}`, select([usual, ...options], chosen, { "data-key": `seat${place}` }));
  };
  const drawGame = () => {
    const found = games.find((each) => each.name === game.value);
    if (!found) return;
    if (game.value !== game.dataset.was) seats.value = String(game.dataset.was ? found.players : seats.value);
    game.dataset.was = game.value;
    said.textContent = `${found.betting}, ${found.streets.length} ${found.streets.length === 1 ? "street" : "streets"}, stack ${found.stack}${found.big_blind ? `, big blind ${found.big_blind}` : ""}`;
    drawOpponents();
  };
  const asked = () => {
    const chosen = [...opponents.querySelectorAll("select")].map((each) => each.value);
    const filled = chosen.find(Boolean) ?? "";
    return {
      game: game.value,
      seats: Number(seats.value),
      opponents: filled ? chosen.map((each) => each || filled).join(",") : "",
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
      fill(wrong, problem(error));
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
      h("div", { class: "columns" }, h("div", {}, labelled("Game", game), said), labelled("Seats, with you", seats)),
      h("fieldset", {}, h("legend", {}, "Opponents"), opponents),
      h(
        "details",
        { open: Boolean(Number(seconds.value) || carry.checked) },
        h("summary", {}, "Stacks and clock"),
        h("label", { class: "check" }, carry, "Stacks go on from hand to hand"),
        h("div", { class: "columns" }, labelled("Seconds for a decision", seconds, "0 is no limit"), labelled("Seconds in the bank", bank)),
      ),
      wrong,
      h("button", { type: "submit", class: "main" }, "Sit down"),
    ),
    lastTable(),
  );
  drawGame();
}

/** A way back to the table that was left open. */
function lastTable() {
  const id = sessionStorage.getItem("table");
  return id ? h("p", {}, h("a", { href: `/play?table=${encodeURIComponent(id)}` }, "Back to the table you sat at")) : null;
}

// ---- The table

class TableView {
  /** @type {Api.TableState | null} */
  state = null;
  #timer = 0;
  #told = "";

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
      choices: h("section", { class: "card", "aria-label": "What the bot would have done", hidden: true }),
    };
    this.moves = new Moves(this.parts.moves, (move) => this.send(move));
    const leave = h("button", { type: "button", class: "plain", onclick: () => void this.quit() }, "Leave the table");
    const side = h("aside", { class: "side" }, this.parts.results, this.parts.choices, this.parts.notes, leave);
    fill(
      main,
      h("h1", { class: "unseen" }, "Play"),
      h("div", { class: "play" }, h("div", { class: "play-main" }, this.parts.status, this.parts.felt, this.parts.moves), side),
    );
    sessionStorage.setItem("table", id);
    this.line = new Line(`/tables/${encodeURIComponent(id)}/play`, {
      message: (value) => this.take(value),
      state: (open) => this.say(open ? "" : "The line is lost. Trying again …"),
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
    this.tell(value);
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

  /** Offer to say what the bot would have done in this hand. */
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
      this.say("The line is lost. Trying again …");
      this.moves.enable();
    }
  }

  /** Tell listeners what is new, and whose turn it is. @param {Api.TableState} state */
  tell(state) {
    const last = state.notes.slice(-3).map((note) => noteWords(note, state)).join(". ");
    const turn = state.phase === "yours" ? `Your turn. Pot ${state.pot}${state.to_call ? `, ${state.to_call} to call` : ""}.` : "";
    const cards = state.board.length ? `Board: ${cardsWords(state.board)}.` : "";
    const words = `${last}. ${cards} ${turn}`;
    if (words !== this.#told) announce(words);
    this.#told = words;
  }

  /** @param {string} words */
  say(words) {
    this.parts.status.textContent = words;
  }

  /** @param {string} why */
  refused(why) {
    sessionStorage.removeItem("table");
    this.say("");
    fill(
      this.parts.felt,
      h("div", { class: "centre" }, h("p", {}, why || "This table is closed."), h("a", { class: "button", href: "/play" }, "Set up a new one")),
    );
    this.parts.moves.replaceChildren();
  }

  async quit() {
    this.leave();
    sessionStorage.removeItem("table");
    try {
      await remove(`/tables/${encodeURIComponent(this.id)}`);
      toast("You left the table. The session is in the ledger.");
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
