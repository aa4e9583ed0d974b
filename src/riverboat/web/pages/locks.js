/** Node locks: hands whose strategy the user fixes; the rest of the spot is solved against them. */

import { fill, h, labelled, problem } from "./dom.js";
import { short } from "./path.js";

export class Locks {
  /** @type {string[]} */
  #locks = [];
  #drawn = "";

  /** @param {(locks: string[]) => Promise<void>} solve  starts a solve with these locks */
  constructor(solve) {
    this.solve = solve;
    this.form = h("div", { class: "stack" });
    this.list = h("div");
    this.element = h("details", { class: "locks" }, h("summary", {}, "Lock this node"), this.form, this.list);
  }

  /** @param {string[]} locks */
  set(locks) {
    this.#locks = [...locks];
    this.#drawList();
  }

  /**
   * @param {Api.Node} node
   * @param {string} hand
   * @param {string} dealt  cards dealt after the board of the spot
   */
  draw(node, hand, dealt) {
    const drawn = [node.line, dealt, hand, ...node.actions.map((item) => item.action)].join(" ");
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const hands = h("input", { type: "text", value: hand || "all", spellcheck: "false", "data-lock": "hands" });
    const shares = node.actions.map((action) => h("input", { type: "number", min: 0, max: 100, value: String(Math.round(100 * (action.frequency ?? 0))), "data-lock": action.action }));
    const here = h("input", { type: "checkbox" });
    const add = () => {
      const parts = node.actions.map((action, place) => [action.action, Number(shares[place].value) || 0]).filter(([, share]) => share);
      const where = here.checked ? ` on ${dealt}` : "";
      this.#locks.push(`${node.line}${where}: ${hands.value.trim() || "all"} = ${parts.map((part) => part.join(" ")).join(" ")}`);
      this.#drawList();
    };
    fill(
      this.form,
      labelled("Hands", hands, "For example AK, QQ+ or all"),
      h("div", { class: "columns" }, node.actions.map((action, place) => labelled(`${short(action.words)} (%)`, shares[place]))),
      dealt ? h("label", { class: "check" }, here, `Only on ${dealt}`) : null,
      h("button", { type: "button", onclick: add }, "Add lock"),
    );
  }

  #drawList() {
    const rows = this.#locks.map((lock, place) =>
      h("li", { class: "row" }, h("code", { class: "grow" }, lock), h("button", { type: "button", class: "plain", "aria-label": `Remove ${lock}`, onclick: () => this.set(this.#locks.filter((_, index) => index !== place)) }, "✕")),
    );
    const errors = h("div");
    const solve = h("button", { type: "button", class: "main", onclick: () => void this.solve(this.#locks).catch((error) => fill(errors, problem(error))) }, rows.length ? `Solve with ${rows.length === 1 ? "this lock" : `${rows.length} locks`}` : "Solve without locks");
    fill(this.list, rows.length ? h("ul", { class: "lock-list" }, rows) : null, solve, errors);
  }
}
