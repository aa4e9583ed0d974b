/** Study: browse a strategy or a solved spot. */

import { get, post } from "./api.js";
import { announce, fill, h, labelled, problem, select } from "./dom.js";
import { NODE_KEYS, NodeView } from "./node.js";
import { addressOf, go } from "./router.js";
import { settings } from "./settings.js";

/** @typedef {import("./router.js").Page} Page */

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  const study = new Study(main);
  return { keys: NODE_KEYS, show: (query) => void study.show(query), leave: () => study.leave(), key: (event) => study.view.key(event) };
}

class Study {
  #asked = 0;
  /** The decisions shown; another hand or view of them needs no request. @type {{key: string, nodes: [Api.Node, Api.Node | null]} | null} */
  #found = null;
  /** @type {Record<string, string>} */
  query = {};
  /** @type {Api.Strategy[] | null} */
  strategies = null;

  /** @param {HTMLElement} main */
  constructor(main) {
    this.head = h("div", { class: "row study-head" });
    this.errors = h("div");
    this.compare = h("div");
    const place = h("div", { class: "stack" });
    const solve = h("button", { type: "button", onclick: () => this.#solve() }, "Solve from here");
    this.solve = h("div", {}, solve);
    this.view = new NodeView(
      place,
      {
        line: (line) => this.#go({ line, hand: this.query.hand }),
        board: (board) => this.#go({ board }),
        hand: (hand) => this.#go({ hand }),
        mode: (view) => this.#go({ view }, true),
      },
      [this.compare, this.solve],
    );
    fill(main, h("h1", {}, "Study"), this.head, this.errors, place);
  }

  /** @param {Record<string, string>} change @param {boolean} [replace] */
  #go(change, replace = false) {
    go("study", { ...this.query, ...change }, { replace });
  }

  /** @param {URLSearchParams} query */
  async show(query) {
    this.query = Object.fromEntries(query);
    const asked = ++this.#asked;
    const { strategy = "default", line = "", board = "", played = "" } = this.query;
    try {
      if (!this.strategies) this.strategies = await get("/strategies");
      this.#draw();
      const place = { strategy, line, board, played: played !== "no", palette: settings.palette };
      const key = JSON.stringify([place, this.query.with, this.query.withline]);
      const found = this.#found?.key === key ? this.#found.nodes : await Promise.all([post("/node", place), this.#other(place)]);
      if (asked !== this.#asked) return;
      this.#found = { key, nodes: found };
      const [node, other] = found;
      this.errors.replaceChildren();
      this.view.draw(node, { board, hand: this.query.hand ?? "", mode: this.query.view ?? "", other });
      this.solve.hidden = node.kind !== "blueprint" || node.board.length < 6;
      announce(wordsOf(node));
    } catch (error) {
      if (asked === this.#asked) fill(this.errors, problem(error), h("a", { href: addressOf("study", { strategy: this.query.strategy }) }, "Go to the first decision"));
    }
  }

  /**
   * Request the decision to compare with; null if there is none.
   * @param {Api.NodeAsked} place
   * @returns {Promise<Api.Node | null>}
   */
  async #other(place) {
    if (!this.query.with) return null;
    const line = this.query.withline ?? place.line;
    const node = await post("/node", { ...place, strategy: this.query.with, line });
    return node.next_cards > 0 ? null : node;
  }

  #draw() {
    const all = this.strategies ?? [];
    /** @type {[string, string][]} */
    const options = all.map((item) => [item.name, `${item.name} (${item.kind === "solution" ? item.about : item.game})`]);
    const chosen = this.query.strategy ?? "default";
    const found = all.find((item) => item.name === chosen);
    const which = select(options, chosen, { "data-key": "strategy" });
    which.addEventListener("change", () => go("study", { strategy: which.value }));
    const trained = h("input", { type: "checkbox", checked: this.query.played === "no", "data-key": "trained" });
    trained.addEventListener("change", () => this.#go({ played: trained.checked ? "no" : "" }));
    fill(
      this.head,
      labelled("Strategy", which),
      found?.kind === "blueprint" && h("label", { class: "check" }, trained, "Show raw frequencies"),
      found && h("small", {}, found.kind === "solution" ? "" : `${found.about}. `, found.menu && `Bet sizes: ${found.menu}`),
    );
    const other = select([["", "nothing"], ...options], this.query.with ?? "", { "data-key": "with" });
    const line = h("input", { type: "text", value: this.query.withline ?? "", placeholder: "same line", "data-key": "withline", spellcheck: "false" });
    other.addEventListener("change", () => this.#go({ with: other.value, view: "" }));
    line.addEventListener("change", () => this.#go({ withline: line.value.trim() }));
    fill(this.compare, h("div", { class: "columns" }, labelled("Compare with", other), this.query.with ? labelled("At line", line) : null));
  }

  #solve() {
    const node = this.view.node;
    if (node) go("solve", { strategy: node.strategy, line: node.line, board: node.board });
  }

  leave() {
    this.#asked++;
  }
}

/** @param {Api.Node} node */
function wordsOf(node) {
  if (node.next_cards > 0) return `Choose ${node.next_cards} cards for the ${node.street}.`;
  const actions = node.actions.map((action) => `${action.words} ${Math.round(100 * (action.frequency ?? 0))} per cent`);
  return `${node.players[node.player]} on the ${node.street}: ${actions.join(", ")}.`;
}
