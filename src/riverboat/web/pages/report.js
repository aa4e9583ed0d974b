/** Aggregated report: one decision on every possible next card. */

import { card, splitCards } from "./cards.js";
import { h } from "./dom.js";
import { percent } from "./numbers.js";

/**
 * @param {Api.CardRow[]} rows
 * @param {Api.Node} node  the decision, for action names and colours
 * @param {(card: string) => void} choose
 */
export function drawReport(rows, node, choose) {
  const actions = new Map(node.actions.map((action) => [action.action, action]));
  const heads = ["Card", "Frequencies", ...node.players.flatMap((name) => [`EV ${name}`, `Equity ${name}`])];
  const body = rows.map((row) => {
    const name = splitCards(row.card).length ? h("button", { type: "button", class: "plain", onclick: () => choose(row.card) }, splitCards(row.card).map((code) => card(code, "text"))) : row.card;
    const shares = Object.entries(row.frequencies);
    const words = shares.map(([action, share]) => `${actions.get(action)?.words ?? action} ${percent(share)}`).join(", ");
    const bar = h("span", { class: "bar tall", role: "img", "aria-label": words, title: words }, shares.map(([action, share]) => h("i", { style: { "--colour": actions.get(action)?.colour ?? "#999999", "--share": share } })));
    const numbers = [0, 1].flatMap((player) => [number(row.values[player], 2), share(row.equities[player])]);
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "wide-cell" }, bar), numbers.map((each) => h("td", {}, each)));
  });
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Aggregated report" },
    h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, body)),
  );
}

/** @param {number | null} value @param {number} digits */
const number = (value, digits) => (value === null || Number.isNaN(value) ? "–" : value.toFixed(digits));
/** @param {number | null} value */
const share = (value) => (value === null || Number.isNaN(value) ? "–" : percent(value, 1));
