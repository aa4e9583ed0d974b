/** Combos: the tiles of one class, and a table of all hands. */

import { NUM_HOLES, card, holeText, holesOf, splitCards } from "./cards.js";
import { h } from "./dom.js";
import { actionValueOf, equityOf, frequency, isPossible, valueOf } from "./hands.js";
import { percent } from "./numbers.js";
import { short } from "./path.js";

const SHOWN = 120;

/**
 * Draw the combos of a class as tiles.
 * @param {Api.Node} node
 * @param {string} name
 * @param {number | null} chosen
 * @param {(hand: string) => void} choose
 */
export function drawCombos(node, name, chosen, choose) {
  const holes = holesOf(name).filter((hole) => isPossible(node, hole));
  return h(
    "div",
    { class: "combos", role: "group", "aria-label": `Hands of ${name}` },
    holes.map((hole) => tile(node, hole, hole === chosen, choose)),
  );
}

/**
 * @param {Api.Node} node
 * @param {number} hole
 * @param {boolean} chosen
 * @param {(hand: string) => void} choose
 */
function tile(node, hole, chosen, choose) {
  const reach = (node.reach[node.player]?.[hole] ?? 0) / 1000;
  const shares = node.actions.map((action, place) => ({ action, share: frequency(node, place, hole) }));
  const codes = splitCards(holeText(hole));
  const main = shares.filter(({ share }) => share !== null && share >= 0.005);
  const words = main.map(({ action, share }) => `${short(action.words)} ${percent(share ?? 0)}`).join(", ");
  const value = valueOf(node, hole);
  return h(
    "button",
    {
      type: "button", class: `combo${reach > 0 ? "" : " absent"}`, "aria-pressed": String(chosen), "data-key": `hole${hole}`,
      onclick: () => choose(holeText(hole)),
    },
    h("span", {}, codes.map((code) => card(code, "text"))),
    h("span", { class: "bar", style: { "--dim": reach } }, main.map(({ action, share }) => h("i", { style: { "--colour": action.colour, "--share": share ?? 0 } }))),
    h("span", { class: "unseen" }, ` ${words || "never reached"}; reach ${percent(reach)}`),
    h("small", { "aria-hidden": value === null ? "true" : null }, value === null ? percent(reach) : `EV ${value.toFixed(1)}`),
  );
}

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(hole: number) => number | null} value
 * @property {(value: number) => string} show
 */

/** @param {Api.Node} node @returns {Column[]} */
function columnsOf(node) {
  const share = (/** @type {number} */ value) => percent(value);
  const amount = (/** @type {number} */ value) => value.toFixed(2);
  /** @type {Column[]} */
  const columns = [{ title: "Reach", value: (hole) => (node.reach[node.player]?.[hole] ?? 0) / 1000, show: share }];
  node.actions.forEach((action, place) => columns.push({ title: short(action.words), value: (hole) => frequency(node, place, hole), show: share }));
  columns.push({ title: "Equity", value: (hole) => equityOf(node, node.player, hole), show: (value) => percent(value, 1) });
  if (node.values.length) {
    columns.push({ title: "EV", value: (hole) => valueOf(node, hole), show: amount });
    node.actions.forEach((action, place) => columns.push({ title: `EV ${short(action.words)}`, value: (hole) => actionValueOf(node, place, hole), show: amount }));
  }
  return columns;
}

/**
 * @typedef {object} Sorted  how a table of hands is sorted and scrolled
 * @property {number} by  a column; -1 is EV, or reach where there is no EV
 * @property {boolean} down
 * @property {number} shown  number of hands
 * @property {number} top  scroll position in pixels
 */

/**
 * Draw a table of hands; a click on a heading sorts it.
 * @param {Api.Node} node
 * @param {string} name  a class, or an empty text for all hands
 * @param {Sorted} left  updated when the user sorts or scrolls
 */
export function comboTable(node, name, left) {
  const columns = columnsOf(node);
  const all = (name ? holesOf(name) : Array.from({ length: NUM_HOLES }, (_, hole) => hole)).filter(
    (hole) => isPossible(node, hole) && (name || (node.reach[node.player]?.[hole] ?? 0) > 0),
  );
  const body = h("tbody");
  const more = h("button", { type: "button" }, "Show all hands");
  const heads = columns.map((column, place) =>
    h("th", { scope: "col" }, h("button", { type: "button", class: "plain head", "data-key": `head${place}`, onclick: () => sort(place) }, column.title)),
  );
  if (left.by < 0 || left.by >= columns.length) left.by = node.values.length ? columns.findIndex((column) => column.title === "EV") : 0;
  left.shown ||= SHOWN;

  /** @param {number} place */
  function sort(place) {
    left.down = place === left.by ? !left.down : true;
    left.by = place;
    draw();
  }
  function draw() {
    const values = new Map(all.map((hole) => [hole, columns[left.by].value(hole) ?? -Infinity]));
    const sorted = [...all].sort((a, b) => ((values.get(b) ?? 0) - (values.get(a) ?? 0)) * (left.down ? 1 : -1) || b - a);
    heads.forEach((head, place) => head.setAttribute("aria-sort", place === left.by ? (left.down ? "descending" : "ascending") : "none"));
    body.replaceChildren(...sorted.slice(0, left.shown).map((hole) => row(hole, columns)));
    more.hidden = all.length <= left.shown;
  }
  more.addEventListener("click", () => {
    left.shown = NUM_HOLES;
    draw();
  });
  draw();
  const table = h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Hand"), heads)), body);
  const box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of hands", "data-key": "hands", onscroll: () => (left.top = box.scrollTop) }, table);
  requestAnimationFrame(() => (box.scrollTop = left.top));
  return h("div", {}, box, more);
}

/** @param {number} hole @param {Column[]} columns */
function row(hole, columns) {
  const cells = columns.map(({ value, show }) => {
    const number = value(hole);
    return h("td", {}, number === null ? "" : show(number));
  });
  return h("tr", {}, h("th", { scope: "row" }, splitCards(holeText(hole)).map((code) => card(code, "text"))), cells);
}
