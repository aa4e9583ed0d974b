/** Whole hands against the bot: every move is graded before it is made, and asked again in time. */

import { post, remove } from "./api.js";
import { announce, fill, h, problem } from "./dom.js";
import { graded } from "./grade.js";
import { Moves } from "./moves.js";
import { moveWords } from "./notes.js";
import { drawTable } from "./table.js";

export class HandDrill {
  /** @type {Api.TableState | null} */
  state = null;
  #ended = false;
  #busy = false; // a key that is held must not be a second move

  /**
   * @param {HTMLElement} place
   * @param {Api.DeckFound} deck
   * @param {() => void} after  called when an answer was remembered
   */
  constructor(place, deck, after) {
    this.deck = deck;
    this.after = after;
    this.felt = h("section", { class: "felt", "aria-label": "Table" });
    this.place = h("section", { class: "moves", "aria-label": "Your move" });
    this.told = h("ol", { class: "stack told", "aria-label": "Moves of this hand" });
    this.wrong = h("div");
    this.moves = new Moves(this.place, (move) => void this.send(move));
    fill(place, this.felt, this.place, this.wrong, h("article", { class: "card stack" }, h("h2", {}, "Your moves"), this.told));
    void this.begin();
  }

  async begin() {
    const bot = this.deck.name === "default" ? "blueprint" : `blueprint:${this.deck.name}`;
    try {
      this.take(await post("/tables", { game: this.deck.game, opponents: bot }));
      await this.send("deal");
    } catch (error) {
      fill(this.wrong, problem(error));
    }
  }

  /** @param {Api.TableState} state */
  take(state) {
    this.state = state;
    if (this.#ended) {
      this.leave();
      return;
    }
    drawTable(this.felt, state);
    this.moves.draw(state);
  }

  /** Grade a move, then make it. @param {string} move */
  async send(move) {
    const state = this.state;
    if (!state || this.#busy) return;
    this.#busy = true;
    fill(this.wrong);
    try {
      if (move === "deal") fill(this.told);
      else await this.grade(state, move);
      this.take(await post(`/tables/${encodeURIComponent(state.id)}/move`, { version: state.version, move }));
    } catch (error) {
      fill(this.wrong, problem(error));
      this.moves.enable();
    } finally {
      this.#busy = false;
    }
  }

  /** @param {Api.TableState} state @param {string} move */
  async grade(state, move) {
    const asked = { strategy: this.deck.name, line: state.line, board: state.board.join(""), hole: state.chairs[state.you].cards.join(""), did: move };
    const where = `${state.street}, ${moveWords(move)}: `;
    try {
      const words = graded(await post("/drill/answer", asked));
      this.told.append(h("li", {}, h("strong", {}, where), words));
      announce(words);
      this.after();
    } catch (error) {
      this.told.append(h("li", {}, h("strong", {}, where), `not graded: ${error instanceof Error ? error.message : error}`));
    }
  }

  /** Leave the table; one that is still being set up is left when it is there. */
  leave() {
    this.#ended = true;
    this.moves.end();
    if (this.state) void remove(`/tables/${encodeURIComponent(this.state.id)}`).catch(() => {});
  }
}
