/** The line of play as columns: the actions of each decision, the chosen one marked. */

import { card, splitCards } from "./cards.js";
import { h } from "./dom.js";
import { percent } from "./numbers.js";

/**
 * Return the line that an action leads to.
 * @param {Api.Node} node
 * @param {number} place  index of a step of the path; the length of the path is the shown decision
 * @param {string} action
 */
export function lineAfter(node, place, action) {
  const line = place < node.path.length ? node.path[place].line : node.line;
  const before = node.path[place - 1];
  const dealt = before?.actions.find(({ action }) => action === before.chosen)?.leads === "cards";
  return line + (dealt && !line.endsWith("/") ? "/" : "") + action;
}

/**
 * @param {Api.Node} node
 * @param {(line: string) => void} go
 */
export function drawPath(node, go) {
  const columns = node.path.map((step, place) => column(node, step, place, go));
  columns.push(column(node, { line: node.line, board: node.board, player: node.player, actions: node.actions, chosen: "" }, node.path.length, go));
  let shown = "";
  const parts = columns.flatMap((item, place) => {
    const board = place < node.path.length ? node.path[place].board : node.board;
    const dealt = splitCards(board).slice(splitCards(shown).length);
    shown = board;
    return dealt.length ? [h("li", { class: "dealt" }, dealt.map((code) => card(code, "text"))), item] : [item];
  });
  const list = h("ol", { class: "path", "aria-label": "Line of play", "data-line": node.line, "data-board": node.board }, parts);
  requestAnimationFrame(() => (list.scrollLeft = list.scrollWidth));
  return list;
}

/**
 * @param {Api.Node} node
 * @param {Api.Step} step
 * @param {number} place
 * @param {(line: string) => void} go
 */
function column(node, step, place, go) {
  const here = place === node.path.length;
  const name = node.players[step.player];
  const head = here
    ? h("span", { class: "step-name" }, name)
    : h("button", { type: "button", class: "step-name", "data-key": `step${place}`, "aria-label": `Back to ${name}, ${step.line || "the start"}`, onclick: () => go(step.line) }, name);
  const actions = step.actions.map((action, number) => choice(node, step, place, action, number, go));
  return h("li", { class: here ? "step here" : "step", "aria-current": here ? "step" : null }, head, actions);
}

/**
 * @param {Api.Node} node
 * @param {Api.Step} step
 * @param {number} place
 * @param {Api.StepAction} action
 * @param {number} number
 * @param {(line: string) => void} go
 */
function choice(node, step, place, action, number, go) {
  const here = place === node.path.length;
  const share = action.frequency;
  const content = [
    h("span", { class: "swatch", style: { "--colour": action.colour } }),
    h("span", { class: "grow" }, short(action.words)),
    h("span", { class: "share" }, share === null ? "–" : percent(share, share > 0 && share < 0.1 ? 1 : 0)),
  ];
  const mark = `choice${action.action === step.chosen ? " chosen" : ""}`;
  const style = { "--share": share ?? 0, "--colour": action.colour };
  if (action.leads === "end" || (here && node.next_cards > 0)) return h("div", { class: `${mark} end`, style, title: action.words }, content);
  return h(
    "button",
    {
      type: "button", class: mark, style, title: action.words, "data-key": `${place} ${action.action}`, "data-action": here ? action.action : null,
      "aria-pressed": here ? null : String(action.action === step.chosen),
      "aria-keyshortcuts": here ? String(number + 1) : null,
      onclick: () => go(lineAfter(node, place, action.action)),
    },
    content,
  );
}

/** Return an action name without the size in brackets. @param {string} words */
export const short = (words) => words.replace(/ \(.*\)$/, "");
