/** Trainer: asks for decisions, grades the answers, and repeats them when they are due. */

import { get, post, remove } from "./api.js";
import { withCards } from "./cards.js";
import { announce, fill, h, labelled, problem, select } from "./dom.js";
import { HandDrill } from "./drillhands.js";
import { gradeOf, graded } from "./grade.js";
import { NodeView } from "./node.js";
import { duration, percent } from "./numbers.js";
import { written } from "./review.js";
import { addressOf, go } from "./router.js";
import { settings } from "./settings.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {{question: Api.Question | null, hands: HandDrill | null, turn: number}} Now */
/** @type {[string, string][]} */
const STREETS = [["", "any"], ["preflop", "preflop"], ["flop", "flop"], ["turn", "turn"], ["river", "river"]];
/** @type {[string, string][]} */
const POSITIONS = [["", "any"], ["SB", "SB"], ["BB", "BB"], ["OOP", "OOP"], ["IP", "IP"]];
/** @type {[string, string][]} */
const POTS = [["", "any"], ["limped", "limped"], ["raised", "raised"], ["3-bet", "3-bet"], ["4-bet", "4-bet"]];
/** @type {[string, string][]} */
const CLOSE = [["", "any"], ["0.05", "within 5 % of the pot"], ["0.02", "within 2 % of the pot"]];

/** @type {[string, string][]} */
const MODES = [["", "single decisions"], ["hands", "whole hands against the bot"]];

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  /** @type {Now} */
  const now = { question: null, hands: null, turn: 0 };
  const end = () => {
    now.hands?.leave();
    Object.assign(now, { question: null, hands: null, turn: now.turn + 1 });
  };
  return {
    show: (query) => {
      end();
      void setUp(main, query, now);
    },
    leave: end,
    key: (event) => {
      if (now.hands) return now.hands.moves.key(event);
      const place = Number(event.key) - 1;
      const button = now.question && main.querySelectorAll("button.answer")[place];
      if (button instanceof HTMLButtonElement && !button.disabled) button.click();
      else if (event.key === "n") main.querySelector(/** @type {"button"} */ ("button.next"))?.click();
      else return false;
      return true;
    },
    keys: [["1  2  3", "answer"], ["N", "next question"], ["F  K  C  Space", "fold, check, call, deal (whole hands)"]],
  };
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 * @param {Now} now
 */
async function setUp(main, query, now) {
  const turn = now.turn;
  const place = h("section", { class: "stack", "aria-label": query.get("mode") ? "Hand" : "Question" });
  const side = h("section", { class: "stack" });
  try {
    /** @type {Api.DeckFound[]} */
    const decks = await get("/drill/decks");
    if (turn !== now.turn) return; // the page shows something else by now
    fill(main, h("h1", {}, "Trainer"), h("div", { class: "solve" }, place, h("div", { class: "stack" }, filters(decks, query), side)));
    await progress(side);
    if (turn !== now.turn) return;
    const deck = decks.find((item) => item.name === (query.get("strategy") || "default"));
    if (query.get("mode") && deck?.game) now.hands = new HandDrill(place, deck, () => void progress(side));
    else if (query.get("mode")) fill(place, problem("Whole hands need a strategy for the whole game: choose one, or train single decisions."));
    else await ask(place, side, query, (question) => (now.question = question));
  } catch (error) {
    fill(place, problem(error));
    if (!place.isConnected) fill(main, h("h1", {}, "Trainer"), place);
  }
}

/** @param {Api.DeckFound[]} decks @param {URLSearchParams} query */
function filters(decks, query) {
  const value = (/** @type {string} */ name) => query.get(name) ?? "";
  const names = decks.map((deck) => /** @type {[string, string]} */ ([deck.name, deck.kind === "library" ? `${deck.name} (${deck.spots} solutions)` : deck.name]));
  const questions = {
    street: select(STREETS, value("street")),
    position: select(POSITIONS, value("position")),
    pot_type: select(POTS, value("pot_type")),
    close: select(CLOSE, value("close")),
  };
  /** @type {Record<string, HTMLSelectElement>} */
  const fields = { strategy: select(names, value("strategy") || "default"), mode: select(MODES, value("mode")), ...(value("mode") ? {} : questions) };
  const words = /** @type {Record<string, string>} */ ({ strategy: "Strategy, solution or folder", mode: "Exercise", street: "Street", position: "Position", pot_type: "Pot type", close: "Close decisions" });
  const deck = decks.find((item) => item.name === fields.strategy.value);
  const send = () => go("trainer", Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])));
  for (const field of Object.values(fields)) field.addEventListener("change", send);
  return h("form", { class: "card stack", "aria-label": "Questions" }, Object.entries(fields).map(([name, field]) => labelled(words[name], field)), deck?.shown && h("p", { class: "quiet" }, `The strategy is asked ${deck.shown}.`));
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} side
 * @param {URLSearchParams} query
 * @param {(question: Api.Question | null) => void} hold
 */
async function ask(place, side, query, hold) {
  fill(place, h("p", { class: "status", role: "status" }, "Looking for a question …"));
  const close = query.get("close");
  const strategy = query.get("strategy") || "default";
  try {
    const asked = await post("/drill/question", { strategy, street: query.get("street") ?? "", position: query.get("position") ?? "", pot_type: query.get("pot_type") ?? "", close: close ? Number(close) : null });
    hold(asked.question);
    drawQuestion(place, asked, (did) => void grade(place, side, strategy, asked.question, did, () => void ask(place, side, query, hold)));
    announce(`${asked.question.street}: you hold ${asked.question.hole}`);
  } catch (error) {
    fill(place, problem(error));
  }
}

/** @param {HTMLElement} place @param {Api.Asked} asked @param {(did: string) => void} answer */
function drawQuestion(place, asked, answer) {
  const question = asked.question;
  const call = question.to_call / question.big_blind;
  fill(
    place,
    h(
      "article",
      { class: "card stack question" },
      h("h2", {}, `${question.street}, ${question.position}${asked.again ? " (repeated)" : ""}`),
      h("p", {}, "You hold ", withCards(question.hole), question.board ? [". Board ", ...withCards(question.board)] : [], `. Pot ${(question.pot / question.big_blind).toFixed(1)} bb${call ? `, ${call.toFixed(1)} bb to call` : ""}.`),
      h("p", { class: "quiet" }, lineWords(question)),
      h("div", { class: "row" }, question.options.map((option, index) => h("button", { type: "button", class: "answer", "data-key": option, onclick: () => answer(option) }, `${index + 1}. ${worded(option, question)}`))),
    ),
  );
}

/**
 * The line in words: "SB limps, BB checks / BB checks". Lines of other games than heads-up hold'em stay as they are.
 * @param {Api.Question} question
 */
function lineWords({ line, position, big_blind: blind }) {
  if (!line) return "You act first.";
  const spot = position === "OOP" || position === "IP";
  if (/[ds]/.test(line) || !(spot || position === "SB" || position === "BB")) return `Line: ${line}`;
  const streets = line.split("/").map((street, place) => {
    const preflop = !spot && place === 0;
    const order = spot ? ["OOP", "IP"] : preflop ? ["SB", "BB"] : ["BB", "SB"];
    const actions = street.match(/[a-z]\d*/g) ?? [];
    return actions.map((action, turn) => `${order[turn % 2]} ${actionWords(action, actions.slice(0, turn), preflop, blind)}`).join(", ");
  });
  return `${streets.filter(Boolean).join(" / ")}.`;
}

/** @param {string} action @param {string[]} before @param {boolean} preflop @param {number} blind */
function actionWords(action, before, preflop, blind) {
  const bets = before.some((earlier) => earlier[0] === "b");
  if (action[0] === "b") return `${bets || preflop ? "raises to" : "bets"} ${(Number(action.slice(1)) / blind).toFixed(1)} bb`;
  return /** @type {Record<string, string>} */ ({ f: "folds", k: "checks", c: preflop && !bets ? "limps" : "calls" })[action[0]] ?? action;
}

/** @param {string} action @param {Api.Question} question */
function worded(action, question) {
  const plain = /** @type {Record<string, string>} */ ({ f: "fold", k: "check", c: "call" });
  return plain[action] ?? `${question.to_call > 0 || question.street === "preflop" ? "raise to" : "bet"} ${(Number(action.slice(1)) / question.big_blind).toFixed(1)} bb`;
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} side
 * @param {string} strategy
 * @param {Api.Question} question
 * @param {string} did
 * @param {() => void} next
 */
async function grade(place, side, strategy, question, did, next) {
  for (const button of place.querySelectorAll("button.answer")) if (button instanceof HTMLButtonElement) button.disabled = true;
  try {
    /** @type {Api.Graded} */
    const answer = await post("/drill/answer", { strategy, line: question.line, board: question.board, hole: question.hole, did, source: question.source });
    const words = graded(answer);
    const studied = question.source.replace("/#", "/"); // a solution in a folder
    const result = h("article", { class: "card stack graded" }, h("p", { role: "status" }, h("strong", {}, words)), values(gradeOf(answer), question), h("p", { class: "quiet" }, `Next review: ${dueWords(answer.due)}. `, h("a", { href: addressOf("study", { strategy: studied, line: question.line, board: question.board, hand: question.hole }) }, "Open in Study")), h("button", { type: "button", class: "main next", onclick: next }, "Next question"));
    place.append(result);
    announce(words);
    void matrixOf(result, studied, question);
    await progress(side);
  } catch (error) {
    place.append(problem(error));
  }
}

/** When a question is due, in words. @param {string} due */
function dueWords(due) {
  const seconds = (Date.parse(due) - Date.now()) / 1000;
  if (seconds < 60) return "in a minute";
  if (seconds < 86400) return `in ${duration(seconds)}`;
  const days = Math.round(seconds / 86400);
  return days === 1 ? "tomorrow" : `in ${days} days`;
}

/** @param {import("./grade.js").Grade} grade @param {Api.Question} question */
function values(grade, question) {
  const known = Object.keys(grade.values).length > 0;
  const value = (/** @type {string} */ action) => (action in grade.values ? (grade.values[action] / question.big_blind).toFixed(2) : "");
  const rows = Object.entries(grade.actions).map(([action, share]) => h("tr", {}, h("th", { scope: "row" }, worded(action, question)), h("td", {}, percent(share, 1)), known && h("td", {}, value(action))));
  return h("table", {}, h("thead", {}, h("tr", {}, ["action", "strategy", ...(known ? ["EV (bb)"] : [])].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows));
}

/** @param {HTMLElement} place @param {string} strategy @param {Api.Question} question */
async function matrixOf(place, strategy, question) {
  try {
    /** @type {Api.Node} */
    const node = await post("/node", { strategy, line: question.line, board: question.board, palette: settings.palette });
    const under = h("div", { class: "stack" });
    place.append(under);
    const shown = { board: question.board, hand: question.hole, mode: "", other: null };
    const draw = (/** @type {{hand?: string, mode?: string}} */ change) => {
      view.draw(node, Object.assign(shown, change));
    };
    const study = (/** @type {Record<string, string>} */ change) => go("study", { strategy, line: question.line, board: question.board, ...change });
    /** @type {NodeView} */
    const view = new NodeView(under, { line: (line) => study({ line }), board: (board) => study({ board }), hand: (hand) => draw({ hand }), mode: (mode) => draw({ mode }) });
    draw({});
  } catch {
    // a line outside the tree has no matrix
  }
}

/** @param {HTMLElement} side */
async function progress(side) {
  const { progress: streets } = await get("/drill/progress");
  const rows = streets.map((/** @type {any} */ row) => h("tr", {}, h("th", { scope: "row" }, row.street), h("td", {}, row.answers), h("td", {}, row.answers ? percent(row.as_strategy.mean) : ""), h("td", {}, row.answers ? written(row.loss_bb) : "")));
  fill(
    side,
    h(
      "article",
      { class: "card stack" },
      h("h2", {}, "Progress"),
      h("table", {}, h("thead", {}, h("tr", {}, ["", "answers", "correct", "EV loss (bb)"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)),
      h("div", { class: "row" }, h("a", { href: "/api/v1/drill/export", download: "answers.json" }, "Export answers"), h("button", { type: "button", class: "plain", onclick: () => confirm("Delete all your answers?") && void remove("/drill").then(() => progress(side)) }, "Delete my answers")),
    ),
  );
}
