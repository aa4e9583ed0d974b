/** Frequencies, reach, equities and EVs of a decision, by hand and by class. */

import { HOLES, NUM_HOLES, cardNumber, className, holesOf, splitCards } from "./cards.js";

/**
 * @typedef {object} Mix  averages over a class, or any set of hands
 * @property {number[]} shares  frequency of each action; empty if there is no hand
 * @property {number} reach  mean over the possible hands; 1 is the hand with the largest reach
 * @property {number} combos  sum of the reach
 * @property {number | null} equity
 * @property {number | null} value
 */

/** All classes from the ace down, row by row. */
export const CLASSES = Array.from({ length: 169 }, (_, place) => className(Math.floor(place / 13), place % 13));

/**
 * @param {number[][] | (number | null)[][]} table
 * @param {number} row
 * @param {number} hole
 * @returns {number | null}
 */
function at(table, row, hole) {
  return table[row]?.[hole] ?? null;
}

/**
 * Return means over hands, weighted by reach; if no hand has reach, all weigh the same.
 * @param {Api.Node} node
 * @param {number} player
 * @param {number[]} holes
 * @returns {Mix}
 */
export function mixOf(node, player, holes) {
  const able = holes.filter((hole) => isPossible(node, hole));
  const reaches = able.map((hole) => (node.reach[player]?.[hole] ?? 0) / 1000);
  const combos = reaches.reduce((sum, reach) => sum + reach, 0);
  const weights = combos > 0 ? reaches : reaches.map(() => 1);
  /** @param {(hole: number) => number | null} value */
  const mean = (value) => {
    let [sum, total] = [0, 0];
    able.forEach((hole, place) => {
      const number = value(hole);
      if (number === null) return;
      sum += weights[place] * number;
      total += weights[place];
    });
    return total > 0 ? sum / total : null;
  };
  const acts = player === node.player;
  const shares = acts ? node.actions.map((_, action) => mean((hole) => frequency(node, action, hole))) : [];
  return {
    shares: shares.every((share) => share !== null) ? /** @type {number[]} */ (shares) : [],
    reach: able.length ? combos / able.length : 0,
    combos,
    equity: mean((hole) => equityOf(node, player, hole)),
    value: mean((hole) => at(node.values, player, hole)),
  };
}

/** @param {Api.Node} node @param {number} action @param {number} hole */
export function frequency(node, action, hole) {
  const thousandths = node.holes[action]?.[hole] ?? -1;
  return thousandths < 0 ? null : thousandths / 1000;
}

/** @param {Api.Node} node @param {number} player @param {number} hole */
export function equityOf(node, player, hole) {
  const thousandths = node.equity[player]?.[hole] ?? -1;
  return thousandths < 0 ? null : thousandths / 1000;
}

/** @param {Api.Node} node @param {number} hole */
export const valueOf = (node, hole) => at(node.values, node.player, hole);
/** @param {Api.Node} node @param {number} action @param {number} hole */
export const actionValueOf = (node, action, hole) => at(node.action_values, action, hole);

/** Whether a pair shares no card with the board. @param {Api.Node} node @param {number} hole */
export function isPossible(node, hole) {
  const board = boards.get(node) ?? new Set(splitCards(node.board).map(cardNumber));
  boards.set(node, board);
  return !board.has(HOLES[hole][0]) && !board.has(HOLES[hole][1]);
}
/** @type {WeakMap<Api.Node, Set<number>>} */
const boards = new WeakMap();

/** @param {Api.Node} node @param {number} player @param {string} name */
export const classMix = (node, player, name) => mixOf(node, player, holesOf(name));

/**
 * Return the equities of a range from its weakest hand to its strongest: [fraction of the range, equity].
 * @param {Api.Node} node
 * @param {number} player
 * @returns {[number, number][]}
 */
export function equityCurve(node, player) {
  /** @type {[number, number][]} equity, reach */
  const hands = [];
  for (let hole = 0; hole < NUM_HOLES; hole++) {
    const [equity, reach] = [equityOf(node, player, hole), node.reach[player]?.[hole] ?? 0];
    if (equity !== null && reach > 0) hands.push([equity, reach]);
  }
  hands.sort((a, b) => a[0] - b[0]);
  const total = hands.reduce((sum, each) => sum + each[1], 0);
  let done = 0;
  return hands.map(([equity, reach]) => {
    done += reach;
    return [(done - reach / 2) / total, equity];
  });
}

/**
 * Return how much more often hands take each action in `other` than in `node`.
 * @param {Api.Node} node
 * @param {Api.Node} other
 * @param {number[]} holes
 * @returns {{action: string, words: string, colour: string, change: number}[]}
 */
export function changes(node, other, holes) {
  const [before, after] = [mixOf(node, node.player, holes), mixOf(other, other.player, holes)];
  if (!before.shares.length || !after.shares.length) return [];
  const all = new Map([...other.actions, ...node.actions].map((item) => [item.action, item]));
  return [...all.values()].map(({ action, words, colour }) => {
    const was = before.shares[node.actions.findIndex((item) => item.action === action)] ?? 0;
    const is = after.shares[other.actions.findIndex((item) => item.action === action)] ?? 0;
    return { action, words, colour, change: is - was };
  });
}
