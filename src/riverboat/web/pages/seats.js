/** The form for a new table: opponents by level, seats, stacks; other games and bots below. */

import { get, once, post } from "./api.js";
import { fill, h, labelled, problem, select } from "./dom.js";
import { face } from "./faces.js";
import { go } from "./router.js";

const MIXED = { name: "Mixed table", face: "bot", level: 0, kind: "", line: "A different opponent on every seat.", bot: "", heads_up: false };

/**
 * Set up a table and deal the first hand.
 * @param {Partial<Api.NewTable>} asked
 */
export async function sitDown(asked) {
  const table = await post("/tables", asked);
  if (!table.invite) await post(`/tables/${table.id}/move`, { version: table.version, move: "deal" });
  go("play", { table: table.id });
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 */
export async function setUp(main, query) {
  fill(main, h("h1", {}, "Play"), h("p", { class: "quiet" }, "…"));
  try {
    const [games, bots, opponents, strategies] = await Promise.all([once("/games"), once("/bots"), once("/opponents"), get("/strategies")]);
    if (!new URLSearchParams(location.search).get("table")) new SeatForm(main, query, { games, bots, opponents, strategies });
  } catch (error) {
    fill(main, h("h1", {}, "Play"), problem(error));
  }
}

class SeatForm {
  /**
   * @param {HTMLElement} main
   * @param {URLSearchParams} query
   * @param {{games: Api.Game[], bots: Api.Bot[], opponents: Api.Opponent[], strategies: Api.Strategy[]}} found
   */
  constructor(main, query, found) {
    this.found = found;
    this.named = (query.get("opponents") ?? "").split(",").filter(Boolean);
    const number = (/** @type {string} */ key, /** @type {string} */ usual, /** @type {number} */ max) => h("input", { type: "number", min: 0, max, value: query.get(key) ?? usual });
    this.seats = h("input", { type: "range", min: 2, max: 9, value: query.get("seats") ?? "2" });
    this.many = h("output", {});
    this.game = select(found.games.map((game) => [game.name, gameWords(game, found.strategies)]), query.get("game") ?? "nolimit-100bb");
    this.carry = h("input", { type: "checkbox", checked: query.get("carry") === "1" });
    this.friend = h("input", { type: "checkbox", checked: query.get("people") === "2", onchange: () => this.draw() });
    this.seconds = number("seconds", "0", 3600);
    this.bank = number("bank", "0", 36000);
    this.tiles = h("div", { class: "tiles", role: "radiogroup", "aria-label": "Opponent" });
    this.places = h("div", { class: "columns wide" });
    this.errors = h("div");
    this.seats.addEventListener("input", () => this.draw());
    this.game.addEventListener("change", () => {
      this.seats.value = String(this.spec()?.players ?? 2);
      this.draw();
    });
    const other = h(
      "details",
      { open: this.named.length > 0 || query.get("seconds") !== null },
      h("summary", {}, "Bots by seat, clock, stacks"),
      h("div", { class: "stack" }, this.places, h("div", { class: "columns" }, labelled("Time per decision (s)", this.seconds, "0 = no limit"), labelled("Time bank (s)", this.bank)), h("label", { class: "check" }, this.carry, "Carry stacks over")),
    );
    fill(
      main,
      h(
        "form",
        { class: "stack set-up", onsubmit: (/** @type {Event} */ event) => void this.#sit(event) },
        h("div", { class: "row spread" }, h("h1", {}, "Choose your opponent"), lastTable()),
        this.tiles,
        h("div", { class: "card row set-up-row" }, labelled("Game and stacks", this.game), h("label", { class: "field" }, h("span", {}, "Seats, with you: ", this.many), this.seats), h("label", { class: "check" }, this.friend, "Invite a second person"), h("button", { type: "submit", class: "main large" }, "Sit down")),
        this.errors,
        h("div", { class: "card" }, other),
      ),
    );
    this.draw();
  }

  spec() {
    return this.found.games.find((game) => game.name === this.game.value);
  }

  /** The bot of each seat; an empty text is the default. */
  chosen() {
    return [...this.places.querySelectorAll("select")].map((field) => field.value);
  }

  /** @param {string} [all]  a bot for every seat */
  draw(all) {
    const seats = Math.max(2, Math.min(9, Number(this.seats.value) || 2));
    const count = seats - (this.friend.checked ? 2 : 1);
    const were = this.chosen();
    this.many.textContent = String(seats);
    const options = this.found.bots.filter((bot) => !bot.needs_file).map((bot) => /** @type {[string, string]} */ ([bot.name, `${bot.name}: ${bot.line}`]));
    const standard = /** @type {[string, string]} */ (["", "Default bot"]);
    fill(this.places, Array.from({ length: count }, (_, place) => labelled(`Seat ${place + seats - count + 1}`, select([standard, ...options], all ?? were[place] ?? this.named[place] ?? "", { "data-key": `seat${place}`, onchange: () => this.#drawTiles() }))));
    this.#drawTiles();
  }

  #drawTiles() {
    const several = Number(this.seats.value) > 2;
    const offered = several ? [MIXED, ...this.found.opponents.filter((each) => !each.heads_up)] : this.found.opponents;
    if (this.friend.checked && !several) {
      fill(this.tiles, h("p", { class: "card" }, "You play against each other. Add seats for bots."));
      return;
    }
    const bots = new Set(this.chosen());
    const only = bots.size === 1 ? [...bots][0] : null;
    const holdem = this.spec()?.betting === "no-limit" && this.spec()?.streets[0] === "preflop";
    const usual = several ? "" : holdem ? "search" : null;
    fill(
      this.tiles,
      offered.map((each) =>
        h(
          "button",
          { type: "button", class: "tile", role: "radio", "data-key": `tile-${each.bot}`, "aria-checked": String(each.bot === (only || usual)), onclick: () => this.draw(each.bot) },
          face(each.face),
          h("strong", {}, each.name),
          h("span", { class: "kind" }, each.kind ? `${each.kind} · level ${each.level}` : "levels 1 to 4"),
          h("span", {}, each.line),
          h("small", {}, each.bot ? `bot: ${each.bot}` : "several bots"),
        ),
      ),
      several && h("p", { class: "quiet" }, "No strategy for three or more seats ships with Riverboat, so the Solver plays heads-up only."),
    );
  }

  asked() {
    const chosen = this.chosen();
    const filled = chosen.find(Boolean) ?? "";
    return {
      game: this.game.value,
      seats: Number(this.seats.value),
      people: this.friend.checked ? 2 : 1,
      opponents: filled ? chosen.map((bot) => bot || filled).join(",") : "",
      carry: this.carry.checked,
      seconds: Number(this.seconds.value) || 0,
      bank: Number(this.bank.value) || 0,
    };
  }

  /** @param {Event} event */
  async #sit(event) {
    event.preventDefault();
    try {
      await sitDown(this.asked());
    } catch (error) {
      fill(this.errors, problem(error));
    }
  }
}

/** @param {Api.Game} game @param {Api.Strategy[]} strategies */
function gameWords(game, strategies) {
  const depth = /^nolimit-(\d+)bb$/.exec(game.name);
  const known = strategies.some((each) => each.game === game.name);
  if (!depth) return `${game.name} (${game.betting}, stacks of ${game.stack})`;
  return `No-limit hold'em, ${depth[1]} bb${known ? "" : " (no strategy of its own)"}`;
}

/** Return a link to the table that is still open. */
export function lastTable() {
  const id = sessionStorage.getItem("table");
  return id ? h("a", { href: `/play?table=${encodeURIComponent(id)}` }, "Return to your table") : null;
}
