/** Solve: the form for a spot, the progress of a solve, and the library of solves. */

import { Line, get, post, remove } from "./api.js";
import { splitCards } from "./cards.js";
import { fill, h, problem, toast } from "./dom.js";
import { exploitabilityGraph } from "./graph.js";
import { Locks } from "./locks.js";
import { NODE_KEYS, NodeView } from "./node.js";
import { percent } from "./numbers.js";
import { drawReport } from "./report.js";
import { addressOf, go } from "./router.js";
import { settings } from "./settings.js";
import { SpotForm } from "./spot.js";

/** @typedef {import("./router.js").Page} Page */

const POLL = 2500; // milliseconds between requests while a solve runs

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  /** @type {SolveView | null} */
  let view = null;
  /** @type {SpotForm | null} */
  let form = null;
  return {
    keys: [...NODE_KEYS, ["Space  Enter", "paint a hand of a range"], ["Shift+arrows", "paint several hands"]],
    show(query) {
      const id = query.get("id");
      if (view && view.id === id) {
        view.show(query);
        return;
      }
      view?.leave();
      view = null;
      if (id) {
        form = null;
        view = new SolveView(main, id);
        view.show(query);
      } else {
        form = setUp(main);
        void form.show(query);
      }
    },
    leave: () => view?.leave(),
    key: (event) => view?.view.key(event) ?? false,
  };
}

/** @param {HTMLElement} main */
function setUp(main) {
  const library = h("section", { class: "card", "aria-label": "Library" });
  const place = h("div");
  fill(main, h("h1", {}, "Solve"), h("div", { class: "solve" }, place, library));
  void drawLibrary(library);
  return new SpotForm(place);
}

// ---- The library

/** @param {HTMLElement} place */
async function drawLibrary(place) {
  try {
    /** @type {Api.SolveState[]} */
    const solves = await get("/solves");
    const rows = solves.map((solve) => libraryRow(solve, () => void drawLibrary(place)));
    fill(place, h("h2", {}, "Library"), rows.length ? h("ul", { class: "library" }, rows.reverse()) : h("p", { class: "quiet" }, "No solves yet."));
  } catch (error) {
    fill(place, h("h2", {}, "Library"), problem(error));
  }
}

/** @param {Api.SolveState} solve @param {() => void} changed */
function libraryRow(solve, changed) {
  const last = solve.progress[solve.progress.length - 1];
  const facts = [solve.asked.spot.board, `pot ${solve.asked.spot.pot}`, solve.state, last ? percent(last.share, 2) : "", solve.asked.locks?.length ? "locked" : ""];
  const discard = async () => {
    try {
      if (solve.state === "running" || solve.state === "waiting") await post(`/solves/${solve.id}/stop`);
      await remove(`/solves/${solve.id}`);
    } catch (error) {
      toast(String(error));
    }
    changed();
  };
  return h(
    "li",
    {},
    h("a", { href: addressOf("solve", { id: solve.id }) }, solve.name),
    h("small", {}, facts.filter(Boolean).join(" · ")),
    h("span", { class: "row" }, h("a", { href: addressOf("solve", { from: solve.id }) }, "Copy"), h("button", { type: "button", class: "plain danger", onclick: discard, "aria-label": `Delete ${solve.name}` }, "Delete")),
  );
}

// ---- One solve

class SolveView {
  /** @type {Record<string, string>} */
  query = {};
  /** @type {Api.SolveState | null} */
  state = null;
  #asked = 0;
  #looked = 0;
  #timer = 0;
  #was = "";
  #pending = ""; // the request that has no answer yet

  /**
   * @param {HTMLElement} main
   * @param {string} id
   */
  constructor(main, id) {
    this.id = id;
    this.head = h("section", { class: "card solve-head", "aria-label": "Solve" });
    this.errors = h("div");
    this.report = h("section", { class: "card", "aria-label": "Report", hidden: true });
    this.locks = new Locks((locks) => this.#solveWith(locks));
    this.reporting = h("button", { type: "button", onclick: () => void this.#report() }, "Aggregated report");
    const place = h("div", { class: "stack" });
    const path = `/solves/${encodeURIComponent(id)}`;
    this.path = path;
    this.view = new NodeView(
      place,
      {
        line: (line) => this.#go({ line }),
        board: (board) => this.#go({ board }),
        hand: (hand) => this.#go({ hand }),
        mode: (view) => this.#go({ view }, true),
      },
      [this.locks.element, this.reporting],
    );
    fill(main, h("h1", {}, "Solve"), h("div", { class: "stack" }, this.head, this.errors, place, this.report));
    this.line = new Line(`${path}/progress`, {
      message: (value) => this.#take(value),
      state: (open) => open || toast("Connection lost, reconnecting …"),
      refused: () => fill(this.head, problem("This solve does not exist."), h("a", { href: "/solve" }, "New solve")),
    });
  }

  /** @param {Record<string, string>} change @param {boolean} [replace] */
  #go(change, replace = false) {
    go("solve", { ...this.query, ...change }, { replace });
  }

  /** @param {URLSearchParams} query */
  show(query) {
    const before = this.query;
    this.query = Object.fromEntries(query);
    const same = ["line", "board"].every((name) => before[name] === this.query[name]);
    if (same && this.view.node) {
      this.#draw(this.view.node); // only the hand or the view changed
      return;
    }
    this.report.hidden = true;
    void this.#look();
  }

  /** @param {Api.SolveState} state */
  #take(state) {
    const first = this.state === null;
    this.state = state;
    this.#drawHead(state);
    if (first) this.locks.set(state.asked.locks ?? []);
    const changed = state.state !== this.#was;
    this.#was = state.state;
    const wait = changed ? 0 : Math.max(0, this.#looked + POLL - performance.now());
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#look(), wait);
  }

  /** @param {Api.SolveState} state */
  #drawHead(state) {
    const last = state.progress[state.progress.length - 1];
    const target = state.asked.target ?? 0.003;
    const runs = state.state === "running" || state.state === "waiting";
    const words = state.state === "waiting" && state.before ? `waiting, ${state.before} ahead in the queue` : state.state;
    const rows = [
      ["State", words],
      ["Exploitability", last ? `${percent(last.share, 3)} of the pot` : "–"],
      ["Iterations", last ? last.iteration.toLocaleString("en-GB") : "–"],
      ["Target", `${Number((100 * target).toPrecision(3))} %`],
      ["EV", state.values ? state.values.map((value, player) => `${value.toFixed(2)} ${player ? "in position" : "out of position"}`).join(", ") : "–"],
    ];
    fill(
      this.head,
      h(
        "div",
        { class: "stack" },
        h("h2", {}, state.name),
        h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { "data-fact": name }, value)))),
        state.problem && problem(state.problem),
        h(
          "div",
          { class: "row" },
          runs ? this.#button("Stop", () => post(`${this.path}/stop`)) : null,
          state.state === "stopped" || state.state === "failed" ? this.#button("Resume", () => post(`${this.path}/resume`)) : null,
          h("a", { href: addressOf("solve", { from: this.id }), "data-key": "copy" }, "Edit as new solve"),
          runs ? null : this.#button("Delete", async () => (await remove(this.path), go("solve"))),
        ),
      ),
      h("figure", {}, exploitabilityGraph(state.progress, target), h("figcaption", {}, "Exploitability (% of pot); dashed line: target")),
    );
  }

  /** @param {string} words @param {() => Promise<unknown>} work */
  #button(words, work) {
    return h("button", { type: "button", "data-key": words, onclick: () => void work().catch((error) => toast(String(error.message ?? error))) }, words);
  }

  /** Request and draw the decision that the address names. */
  async #look() {
    const state = this.state;
    if (!state || state.state === "waiting" || (!state.progress.length && ["running", "failed"].includes(state.state))) return;
    const { line = "", board = "" } = this.query;
    const wanted = [state.state, line, board].join(" ");
    if (wanted === this.#pending) return; // do not repeat a request that takes longer than the pause
    const asked = ++this.#asked;
    this.#pending = wanted;
    try {
      /** @type {Api.Node} */
      const node = await post(`${this.path}/node`, { strategy: this.id, line, board, palette: settings.palette });
      if (asked !== this.#asked) return;
      fill(this.errors);
      this.#draw(node);
    } catch (error) {
      if (asked === this.#asked) fill(this.errors, problem(error));
    } finally {
      if (asked === this.#asked) this.#pending = "";
      this.#looked = performance.now();
    }
  }

  /** @param {Api.Node} node */
  #draw(node) {
    const { board = "", hand = "", view = "" } = this.query;
    this.view.draw(node, { board, hand, mode: view, other: null });
    this.locks.draw(node, hand, this.#dealt(node));
    this.reporting.hidden = !this.#dealt(node) || ["running", "waiting"].includes(this.state?.state ?? "");
  }

  /** Cards dealt after the board of the spot. @param {Api.Node} node */
  #dealt(node) {
    return node.board.slice(this.state?.asked.spot.board.length ?? 0);
  }

  async #report() {
    const node = this.view.node;
    if (!node) return;
    const before = splitCards(this.#dealt(node)).slice(0, -1).join("");
    this.report.hidden = false;
    fill(this.report, h("p", { class: "quiet" }, "…"));
    try {
      const rows = await post(`${this.path}/cards`, { line: node.line, cards: before });
      const base = this.state?.asked.spot.board ?? "";
      const choose = (/** @type {string} */ code) => this.#go({ board: base + before + code });
      fill(this.report, h("h2", {}, `All ${node.street} cards, line ${node.line || "start"}`), drawReport(rows, node, choose));
      this.report.scrollIntoView({ block: "nearest" });
    } catch (error) {
      fill(this.report, problem(error));
    }
  }

  /** @param {string[]} locks */
  async #solveWith(locks) {
    if (!this.state) return;
    const asked = { ...this.state.asked, locks };
    const solve = await post("/solves", { ...asked, name: asked.name || `${this.state.name}${locks.length ? ", locked" : ""}` });
    go("solve", { id: solve.id, line: this.query.line, board: this.query.board });
  }

  leave() {
    clearTimeout(this.#timer);
    this.#asked++;
    this.line.close();
  }
}
