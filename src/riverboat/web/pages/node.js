/** The view of one decision: of a strategy, a solved spot, or a spot that is being solved. */

import { readHand, splitCards } from "./cards.js";
import { comboTable, drawCombos } from "./combos.js";
import { fill, h } from "./dom.js";
import { csvOf, fileName, pngOf, save } from "./export.js";
import { equityGraph } from "./graph.js";
import { CLASSES, changes, classMix, equityCurve, mixOf } from "./hands.js";
import { holesOf } from "./cards.js";
import { matrix } from "./matrix.js";
import { chips, percent } from "./numbers.js";
import { drawPath, lineAfter, short } from "./path.js";
import { picker } from "./picker.js";

/** @typedef {import("./matrix.js").Cell} Cell */
/** @typedef {"strategy" | "first" | "second" | "equity" | "value" | "difference"} Mode */

/**
 * @typedef {object} Shown  the part of the address that does not select the decision
 * @property {string} board
 * @property {string} hand
 * @property {string} mode
 * @property {Api.Node | null} other  the decision to compare with
 */

/**
 * @typedef {object} Handlers  called when the user changes something
 * @property {(line: string) => void} line
 * @property {(board: string) => void} board
 * @property {(hand: string) => void} hand
 * @property {(mode: string) => void} mode
 */

/** @type {[string, string][]} */
export const NODE_KEYS = [
  ["1  2  3 …", "take an action"],
  ["Backspace", "go back one decision"],
  ["M", "focus the matrix; arrows move, Enter selects"],
  ["R", "choose a random board, before cards are dealt"],
  ["[  ]", "previous view, next view"],
];

export class NodeView {
  /** @type {Api.Node | null} */
  node = null;
  /** @type {Shown} */
  shown = { board: "", hand: "", mode: "", other: null };
  /** @type {import("./combos.js").Sorted & {key: string}} */
  #sorted = { key: "", by: -1, down: true, shown: 0, top: 0 };

  /**
   * @param {HTMLElement} place
   * @param {Handlers} handlers
   * @param {globalThis.Node[]} [tools]  further controls of the page
   */
  constructor(place, handlers, tools = []) {
    this.handlers = handlers;
    this.parts = {
      path: h("div"), board: h("div"), legend: h("div", { class: "legend" }), modes: h("div", { class: "row modes", role: "group", "aria-label": "View" }),
      look: h("p", { class: "look quiet" }), combos: h("div"), table: h("div"), facts: h("div"), graph: h("div"), exports: h("div", { class: "row" }),
    };
    this.matrix = matrix("Starting hands");
    this.matrix.addEventListener("pick", (event) => handlers.hand(detail(event)));
    this.matrix.addEventListener("look", (event) => this.#look(detail(event)));
    const { path, board, legend, modes, look, combos, table, facts, graph, exports } = this.parts;
    this.body = h(
      "div",
      { class: "node", hidden: true },
      h("section", { class: "card", "aria-label": "Starting hands" }, modes, this.matrix, look, legend),
      h("section", { class: "card stack", "aria-label": "Numbers" }, facts, combos, graph, exports, ...tools),
      h("section", { class: "card wide", "aria-label": "Hands" }, table),
    );
    fill(place, path, board, this.body);
  }

  /**
   * @param {Api.Node} node
   * @param {Shown} shown
   */
  draw(node, shown) {
    this.node = node;
    this.shown = shown;
    const { parts } = this;
    fill(parts.path, drawPath(node, this.handlers.line));
    fill(parts.board, this.#board(node, shown));
    this.body.hidden = node.next_cards > 0;
    if (node.next_cards > 0) return;
    const hand = readHand(shown.hand);
    const name = hand?.name ?? "";
    fill(parts.modes, this.#modes(node));
    this.cells = cellsOf(node, this.mode, shown.other);
    this.matrix.cells = this.cells;
    this.matrix.chosen = name;
    fill(parts.legend, legend(node, this.mode, shown.other));
    fill(parts.facts, facts(node));
    fill(parts.graph, h("h2", {}, "Equities"), equityGraph([equityCurve(node, 0), equityCurve(node, 1)], node.players));
    fill(parts.combos, name ? [h("h2", {}, name, " ", h("button", { type: "button", class: "plain", onclick: () => this.handlers.hand("") }, "all hands")), drawCombos(node, name, hand?.hole ?? null, this.handlers.hand)] : null);
    fill(parts.table, h("h2", {}, name ? `Hands of ${name}` : "All hands in range"), this.#table(node, name));
    fill(parts.exports, this.#exports(node));
    this.#look(name);
  }

  /** Draw the table of hands; a redraw of the same decision keeps sorting and scroll position. @param {Api.Node} node @param {string} name */
  #table(node, name) {
    const key = [node.strategy, node.line, node.board, name].join(" ");
    if (key !== this.#sorted.key) this.#sorted = { key, by: -1, down: true, shown: 0, top: 0 };
    return comboTable(node, name, this.#sorted);
  }

  /** @returns {Mode} */
  get mode() {
    const modes = this.node ? modesOf(this.node, this.shown.other) : [];
    const fallback = this.shown.other ? "difference" : "strategy";
    return modes.find(([mode]) => mode === this.shown.mode)?.[0] ?? fallback;
  }

  /** @param {Api.Node} node */
  #modes(node) {
    return modesOf(node, this.shown.other).map(([mode, words]) =>
      h("button", { type: "button", "data-key": mode, "aria-pressed": String(mode === this.mode), onclick: () => this.handlers.mode(mode) }, words),
    );
  }

  /** @param {Api.Node} node @param {Shown} shown */
  #board(node, shown) {
    const fixed = splitCards(node.kind === "solution" ? (node.path[0]?.board ?? node.board) : "");
    const given = splitCards(shown.board).filter((code) => !fixed.includes(code));
    const most = splitCards(node.board).length + node.next_cards - fixed.length;
    if (most <= 0) return null;
    const summary = node.next_cards > 0 ? `Choose the ${node.street}${node.next_cards === 1 ? " card" : ""}` : "Change the board";
    const change = (/** @type {string[]} */ cards) => this.handlers.board([...fixed, ...cards].join(""));
    const pick = picker({ label: "Board", chosen: given.slice(0, most), fixed, most, change });
    const opened = this.parts.board.querySelector("details")?.open && this.parts.board.dataset.line === node.line; // the user opened it
    const needed = node.next_cards > 0;
    this.parts.board.dataset.line = needed ? "" : node.line;
    return h("details", { class: "board-picker", open: opened || needed }, h("summary", { "data-key": "board" }, summary), pick);
  }

  /** Describe what a class does. @param {string} name */
  #look(name) {
    if (!this.node || this.node.next_cards > 0) return;
    const place = CLASSES.indexOf(name);
    fill(this.parts.look, place < 0 ? "Point at a hand for details." : [h("b", {}, name), `: ${this.cells?.[place]?.words ?? ""}`]);
  }

  /** @param {Api.Node} node */
  #exports(node) {
    const name = fileName(node);
    /** @param {string} kind @param {() => void} write */
    const button = (kind, write) => h("button", { type: "button", "data-key": kind, onclick: write }, kind);
    return [
      h("span", { class: "quiet" }, "Export"),
      button("CSV", () => save(`${name}.csv`, new Blob([csvOf(node)], { type: "text/csv" }))),
      button("JSON", () => save(`${name}.json`, new Blob([JSON.stringify(node)], { type: "application/json" }))),
      button("PNG", () => void pngOf(node, this.cells ?? []).then((blob) => blob && save(`${name}.png`, blob))),
    ];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const node = this.node;
    if (!node) return false;
    const action = node.actions[Number(event.key) - 1];
    if (action && action.leads !== "end" && node.next_cards === 0) this.handlers.line(lineAfter(node, node.path.length, action.action));
    else if (event.key === "Backspace" && node.path.length) this.handlers.line(node.path[node.path.length - 1].line);
    else if (event.key === "m") this.matrix.enter();
    else if (event.key === "r" && node.next_cards > 0) /** @type {HTMLElement | null} */ (this.parts.board.querySelector(".picker .row button"))?.click();
    else if (event.key === "[" || event.key === "]") this.#turn(event.key === "]" ? 1 : -1);
    else return false;
    return true;
  }

  /** @param {number} by */
  #turn(by) {
    if (!this.node) return;
    const modes = modesOf(this.node, this.shown.other).map(([mode]) => mode);
    this.handlers.mode(modes[(modes.indexOf(this.mode) + by + modes.length) % modes.length]);
  }
}

/** @param {Event} event */
const detail = (event) => String(/** @type {CustomEvent} */ (event).detail);

/**
 * @param {Api.Node} node
 * @param {Api.Node | null} other
 * @returns {[Mode, string][]}
 */
function modesOf(node, other) {
  /** @type {[Mode, string][]} */
  const modes = [["strategy", "Strategy"], ["first", `Range: ${node.players[0]}`], ["second", `Range: ${node.players[1]}`], ["equity", "Equity"]];
  if (node.values.length) modes.push(["value", "EV"]);
  if (other) modes.push(["difference", "Difference"]);
  return modes;
}

/**
 * @param {Api.Node} node
 * @param {Mode} mode
 * @param {Api.Node | null} other
 * @returns {Cell[]}
 */
function cellsOf(node, mode, other) {
  if (mode === "difference" && other) return CLASSES.map((name) => differenceCell(node, other, name));
  if (mode === "first" || mode === "second") return CLASSES.map((name) => rangeCell(node, mode === "first" ? 0 : 1, name));
  if (mode === "equity") return CLASSES.map((name) => heatCell(node, name, "equity", 0, 1));
  if (mode === "value") {
    const values = CLASSES.map((name) => classMix(node, node.player, name)).filter((mix) => mix.combos > 0).map((mix) => mix.value ?? 0);
    return CLASSES.map((name) => heatCell(node, name, "value", Math.min(...values, 0), Math.max(...values, 1)));
  }
  return CLASSES.map((name) => strategyCell(node, name));
}

/** @param {Api.Node} node @param {string} name @returns {Cell} */
function strategyCell(node, name) {
  const mix = classMix(node, node.player, name);
  const segments = mix.shares.map((share, place) => ({ colour: node.actions[place].colour, share }));
  const words = mix.shares.map((share, place) => ({ share, words: `${short(node.actions[place].words)} ${percent(share)}` })).filter(({ share }) => share >= 0.005);
  const rest = `reach ${percent(mix.reach)}${mix.equity === null ? "" : `, equity ${percent(mix.equity)}`}${mix.value === null ? "" : `, EV ${mix.value.toFixed(2)}`}`;
  return { segments, dim: mix.reach, words: mix.combos > 0 ? `${words.map((item) => item.words).join(", ")}; ${rest}` : "never reached" };
}

const RANGE_COLOURS = ["#d9a441", "#4aa3c7"];

/** @param {Api.Node} node @param {number} player @param {string} name @returns {Cell} */
function rangeCell(node, player, name) {
  const mix = classMix(node, player, name);
  return { segments: [{ colour: RANGE_COLOURS[player], share: mix.reach }], dim: mix.reach > 0 ? 1 : 0, words: `${percent(mix.reach)}, ${mix.combos.toFixed(1)} hands`, small: mix.reach > 0 && mix.reach < 0.995 ? String(Math.round(100 * mix.reach)) : "" };
}

/**
 * @param {Api.Node} node
 * @param {string} name
 * @param {"equity" | "value"} what
 * @param {number} low
 * @param {number} high
 * @returns {Cell}
 */
function heatCell(node, name, what, low, high) {
  const mix = classMix(node, node.player, name);
  const number = mix[what];
  if (number === null || mix.combos <= 0) return { segments: [], dim: 0, words: "never reached" };
  const words = what === "equity" ? percent(number, 1) : `EV ${number.toFixed(2)}`;
  const small = what === "equity" ? String(Math.round(100 * number)) : number.toFixed(number < 100 ? 1 : 0);
  return { segments: [{ colour: heat((number - low) / (high - low)), share: 1 }], dim: Math.max(0.35, mix.reach), words, small };
}

/** Dark violet, green, yellow: safe for colour-blind people. @param {number} part */
function heat(part) {
  const stops = [[68, 40, 110], [33, 130, 125], [236, 200, 70]];
  const place = Math.min(1.999, Math.max(0, 2 * part));
  const [from, to] = [stops[Math.floor(place)], stops[Math.floor(place) + 1]];
  return `rgb(${from.map((start, index) => Math.round(start + (place % 1) * (to[index] - start))).join(" ")})`;
}

/** @param {Api.Node} node @param {Api.Node} other @param {string} name @returns {Cell} */
function differenceCell(node, other, name) {
  const all = changes(node, other, holesOf(name));
  const more = all.filter(({ change }) => change > 0.0005);
  const total = more.reduce((sum, { change }) => sum + change, 0);
  const reach = classMix(node, node.player, name).reach;
  const texts = all.filter(({ change }) => Math.abs(change) >= 0.005).map(({ words, change }) => `${short(words)} ${change > 0 ? "+" : "−"}${percent(Math.abs(change))}`);
  return {
    segments: more.map(({ colour, change }) => ({ colour, share: change })),
    dim: all.length ? Math.max(0.3, reach) : 0,
    words: all.length ? texts.join(", ") || "no difference" : "only in one of the two ranges",
    small: total >= 0.005 ? String(Math.round(100 * total)) : "",
  };
}

/**
 * @param {Api.Node} node
 * @param {Mode} mode
 * @param {Api.Node | null} other
 */
function legend(node, mode, other) {
  if (mode === "strategy") {
    return node.actions.map((action) => h("span", { class: "key" }, h("span", { class: "swatch", style: { "--colour": action.colour } }), action.words, " ", h("b", {}, action.frequency === null ? "" : percent(action.frequency, 1))));
  }
  if (mode !== "difference" || !other) return null;
  const all = changes(node, other, CLASSES.flatMap(holesOf));
  return [
    h("p", { class: "quiet" }, `Colours: actions that ${nameOf(other)} takes more often than ${nameOf(node)}. Numbers: total difference in %.`),
    ...all.map(({ words, colour, change }) => h("span", { class: "key" }, h("span", { class: "swatch", style: { "--colour": colour } }), short(words), " ", h("b", {}, `${change < 0 ? "−" : "+"}${percent(Math.abs(change), 1)}`))),
  ];
}

/** @param {Api.Node} node */
const nameOf = (node) => `${node.strategy} (${node.line || "start"})`;

/** @param {Api.Node} node */
function facts(node) {
  const rows = node.players.map((name, player) => {
    const mean = node.averages[player] ?? {};
    const hands = mixOf(node, player, CLASSES.flatMap(holesOf)).combos;
    return h("tr", {}, h("th", { scope: "row" }, name, player === node.player && h("small", {}, " to act")), h("td", {}, percent(mean.equity ?? 0, 1)), node.values.length > 0 && h("td", {}, (mean.value ?? 0).toFixed(2)), h("td", {}, hands.toFixed(1)));
  });
  return h(
    "div",
    {},
    h("h2", {}, `${node.street}: pot ${chips(node.pot)}${node.to_call ? `, ${chips(node.to_call)} to call` : ""}`),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), h("th", { scope: "col" }, "Equity"), node.values.length > 0 && h("th", { scope: "col" }, "EV"), h("th", { scope: "col" }, "Combos"))), h("tbody", {}, rows)),
    node.note && h("p", { class: "quiet" }, node.note),
  );
}
