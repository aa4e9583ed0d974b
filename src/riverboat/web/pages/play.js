/** Play: the form for a new table, and the table. */

import { Line, get, remove } from "./api.js";
import { announce, fill, h, problem, toast } from "./dom.js";
import { cardsWords } from "./cards.js";
import { amount, spoken } from "./numbers.js";
import { addressOf, go } from "./router.js";
import { setUp } from "./seats.js";
import { choose, settings } from "./settings.js";
import { Felt } from "./table.js";
import { Moves } from "./moves.js";
import { drawChoices, drawNotes, drawResults, studies } from "./notes.js";
import { drawVerdict } from "./verdict.js";

/** @typedef {import("./router.js").Page} Page */

const PAUSE = 2500; // milliseconds before the next hand is dealt automatically
/** @type {[string, string][]} */
const KEYS = [
  ["F", "fold"],
  ["K  C", "check, call"],
  ["1  2  3 …", "bet a preset size, then your own sizes"],
  ["B", "type a size: 12, 3bb, 2.5x, half, 2/3, 75%, pot, all-in"],
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

// ---- The table

class TableView {
  /** @type {Api.TableState | null} */
  state = null;
  #timer = 0;
  #announced = "";
  #unit = settings.unit;
  #invited = false; // whether the link was asked for
  #judged = 0; // the last hand whose decisions were graded

  /**
   * @param {HTMLElement} main
   * @param {string} id
   */
  constructor(main, id) {
    this.id = id;
    this.parts = {
      status: h("p", { class: "status", role: "status" }),
      felt: h("section", { "aria-label": "Table" }),
      moves: h("section", { class: "moves", "aria-label": "Your move" }),
      after: h("section", { class: "after", "aria-label": "This hand" }),
      notes: h("section", { class: "card notes", "aria-label": "Hand history" }),
      results: h("section", { class: "card results", "aria-label": "Results" }),
      choices: h("section", { class: "card", "aria-label": "Your decisions", hidden: true }),
      bar: h("div", { class: "table-bar" }),
      invite: h("section", { class: "card stack invite", "aria-label": "Invitation", hidden: true }),
    };
    this.felt = new Felt(this.parts.felt);
    this.moves = new Moves(this.parts.moves, (move) => this.send(move), this.parts.after);
    const { bar, status, felt, moves, results, choices, notes } = this.parts;
    fill(
      main,
      h("h1", { class: "unseen" }, "Play"),
      h(
        "div",
        { class: "play" },
        h("div", { class: "play-main" }, bar, status, h("div", { class: "felt-box" }, felt, this.parts.invite), moves),
        h("aside", { class: "side" }, results, choices, notes),
      ),
    );
    sessionStorage.setItem("table", id);
    scrollTo(0, 0);
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
  }

  /** Play back what has happened, then show the moves. */
  draw() {
    const state = this.state;
    if (!state) return;
    if (!this.parts.bar.childElementCount) this.#drawBar(state);
    this.say(state.wait || state.problem);
    this.#invite(state).catch((error) => fill(this.parts.invite, problem(error)));
    if (state.phase === "thinking") this.moves.draw(state); // nobody can move while bots or others think
    if (state.phase !== "over") this.parts.choices.hidden = true;
    void this.felt.show(state).then(() => this.#settle(state));
  }

  /** @param {Api.TableState} state */
  #settle(state) {
    if (state !== this.state) return; // a later one is being shown
    if (this.#unit !== settings.unit) this.felt.draw(state);
    this.#unit = settings.unit;
    this.#drawBar(state);
    this.moves.draw(state);
    drawNotes(this.parts.notes, state);
    drawResults(this.parts.results, state);
    if (state.invite) this.parts.moves.replaceChildren(h("p", { class: "quiet dots" }, "Waiting for the second person"));
    if (state.phase === "over" && this.#judged !== state.hand) void this.#judge(state);
    clearTimeout(this.#timer);
    if (state.phase === "over" && settings.deal === "yes") {
      this.#timer = window.setTimeout(() => this.send("deal"), PAUSE);
    }
  }

  /** Show the link for a second person until they have come. @param {Api.TableState} state */
  async #invite(state) {
    this.parts.invite.hidden = !state.invite || state.id === state.invite;
    if (this.parts.invite.hidden || this.#invited) return;
    this.#invited = true;
    /** @type {Api.Invitation} */
    const { host, path, local } = await get(`/tables/${encodeURIComponent(this.id)}/invitation`);
    const link = `${location.protocol}//${host}${path}`;
    const field = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link for the second person" });
    const copy = async () => {
      field.select();
      await navigator.clipboard?.writeText(link); // only pages of this machine or with TLS have it
      toast(navigator.clipboard ? "The link was copied." : "The link is selected: copy it.");
    };
    fill(this.parts.invite, h("strong", {}, "Send this link to the second person"), field, h("button", { type: "button", class: "main", onclick: () => void copy() }, "Copy link"), h("small", {}, local ? "Only browsers on this machine reach this server." : "The link also lets them use this server, until you leave."));
  }

  /** @param {Api.TableState} state */
  #drawBar(state) {
    const other = settings.unit === "bb" ? "chips" : "bb";
    const loud = settings.sound === "on";
    const facts = [state.game, state.hand ? `hand ${state.hand}` : "", state.street].filter(Boolean).join(" · ");
    const button = (/** @type {string} */ words, /** @type {string} */ label, /** @type {() => void} */ act) => h("button", { type: "button", class: "plain", "data-key": label, "aria-label": `${words}: ${label}`, title: label, onclick: act }, words);
    fill(
      this.parts.bar,
      h("span", { class: "quiet facts-line" }, facts),
      state.unit > 1 && button(settings.unit === "bb" ? "bb" : "chips", `Show ${other}`, () => choose("unit", other)),
      button(loud ? "♪ on" : "♪ off", loud ? "Sound off" : "Sound on", () => choose("sound", loud ? "off" : "on")),
      button("Leave", "Leave table", () => void this.quit()),
    );
  }

  /** Say what the hand cost. @param {Api.TableState} state */
  async #judge(state) {
    this.#judged = state.hand;
    const place = this.parts.after;
    fill(place, h("p", { class: "quiet dots" }, "Grading your decisions"));
    try {
      /** @type {Api.Choice[]} */
      const choices = await get(`/tables/${encodeURIComponent(this.id)}/choices?hand=${state.hand}`);
      if (this.state?.hand !== state.hand || this.state.phase !== "over") return;
      const more = () => {
        this.parts.choices.hidden = false;
        drawChoices(this.parts.choices, choices, state);
        this.parts.choices.scrollIntoView({ block: "nearest" });
      };
      const hand = addressOf("sessions", { id: state.session, hand: String(state.hand) });
      drawVerdict(place, choices, { unit: state.unit, hand, study: studies(state), more });
    } catch (error) {
      fill(place, problem(error));
    }
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
    const turn = state.phase === "yours" ? `Your turn. Pot ${amount(state.pot, state.unit)}${state.to_call ? `, ${amount(state.to_call, state.unit)} to call` : ""}.` : "";
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
      if (!this.state?.you) await remove(`/tables/${encodeURIComponent(this.id)}`);
      toast(this.state?.you ? "You left the table. It stays open." : "You left the table. The session was saved in the ledger.");
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
  return who + spoken(note.words, state.unit);
}
