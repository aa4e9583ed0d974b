/** Trainer, whole hands against the bot: each move is graded before it is played. */

import { post, remove } from "./api.js";
import { announce, fill, h, problem } from "./dom.js";
import { graded } from "./grade.js";
import { Moves } from "./moves.js";
import { moveWords } from "./notes.js";
import { Felt } from "./table.js";

export class HandDrill {
  /** @type {Api.TableState | null} */
  state = null;
  #ended = false;
  #busy = false; // a key that repeats must not make a second move

  /**
   * @param {HTMLElement} place
   * @param {Api.DeckFound} deck
   * @param {() => void} after  called when an answer was saved
   */
  constructor(place, deck, after) {
    this.deck = deck;
    this.after = after;
    const felt = h("section", { "aria-label": "Table" });
    this.felt = new Felt(felt);
    this.place = h("section", { class: "moves", "aria-label": "Your move" });
    this.grades = h("ol", { class: "stack told", "aria-label": "Moves of this hand" });
    this.errors = h("div");
    this.moves = new Moves(this.place, (move) => void this.send(move));
    fill(place, h("div", { class: "felt-box" }, felt), this.place, this.errors, h("article", { class: "card stack" }, h("h2", {}, "Your moves"), this.grades));
    void this.begin();
  }

  async begin() {
    const bot = this.deck.name === "default" ? "blueprint" : `blueprint:${this.deck.name}`;
    try {
      this.take(await post("/tables", { game: this.deck.game, opponents: bot }));
      await this.send("deal");
    } catch (error) {
      fill(this.errors, problem(error));
    }
  }

  /** @param {Api.TableState} state */
  take(state) {
    this.state = state;
    if (this.#ended) {
      this.leave();
      return;
    }
    void this.felt.show(state).then(() => this.moves.draw(state));
  }

  /** Grade a move, then play it. @param {string} move */
  async send(move) {
    const state = this.state;
    if (!state || this.#busy) return;
    this.#busy = true;
    fill(this.errors);
    try {
      if (move === "deal") fill(this.grades);
      else await this.grade(state, move);
      this.take(await post(`/tables/${encodeURIComponent(state.id)}/move`, { version: state.version, move }));
    } catch (error) {
      fill(this.errors, problem(error));
      this.moves.enable();
    } finally {
      this.#busy = false;
    }
  }

  /** @param {Api.TableState} state @param {string} move */
  async grade(state, move) {
    const answer = { strategy: this.deck.name, line: state.line, board: state.board.join(""), hole: state.chairs[state.you].cards.join(""), did: move };
    const where = `${state.street}, ${moveWords(move)}: `;
    try {
      const words = graded(await post("/drill/answer", answer));
      this.grades.append(h("li", {}, h("strong", {}, where), words));
      announce(words);
      this.after();
    } catch (error) {
      this.grades.append(h("li", {}, h("strong", {}, where), `not graded: ${error instanceof Error ? error.message : error}`));
    }
  }

  /** Leave the table; a table that is still being set up is left once the server has created it. */
  leave() {
    this.#ended = true;
    this.moves.end();
    if (this.state) void remove(`/tables/${encodeURIComponent(this.state.id)}`).catch(() => {});
  }
}
