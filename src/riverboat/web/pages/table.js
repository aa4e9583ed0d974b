/** The table: seats, board, pot. It plays back what has happened since it was drawn last. */

import { card } from "./cards.js";
import { fill, h } from "./dom.js";
import { face } from "./faces.js";
import { appear, moved, moveFrom, sound, speed, thought } from "./motion.js";
import { amount, signedAmount, spoken } from "./numbers.js";

/** @typedef {Pick<Api.TableState, "chairs" | "board" | "pot" | "unit" | "you" | "street" | "hand" | "phase" | "frames" | "winners" | "holding" | "game"> & {version?: number, replay?: boolean}} Shown */

export class Felt {
  /** @type {Shown | null} */
  #last = null; // the state that was asked for last
  /** @type {Shown | null} */
  #drawn = null;
  #played = 0; // number of the last action that was shown
  /** @type {Promise<void>} */
  #queue = Promise.resolve();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    element.classList.add("felt");
  }

  /**
   * Play back the actions since the last state, then draw the state.
   * @param {Shown} state
   */
  show(state) {
    const first = !this.#last;
    this.#last = state;
    if (first || !speed()) {
      this.#drawn = first ? { ...state, hand: -1, chairs: state.chairs.map((chair) => ({ ...chair, bet: 0 })), winners: [] } : this.#drawn;
      this.draw(state);
      return Promise.resolve();
    }
    this.#queue = this.#queue.then(() => this.#play(state));
    return this.#queue;
  }

  /** @param {Shown} state */
  async #play(state) {
    if (state.hand !== this.#drawn?.hand) {
      this.#played = 0;
      this.#deal(state);
      await moved();
    }
    for (const frame of state.frames) {
      if (frame.number <= this.#played || !this.element.isConnected) continue;
      const before = this.#drawn ?? state;
      if (frame.chair !== state.you) {
        this.#draw(waiting(state, before, frame), before);
        await thought();
      }
      this.#draw(framed(state, this.#drawn ?? before, frame), this.#drawn);
      this.#played = frame.number;
      sound(frame.said.startsWith("check") ? "check" : frame.said.startsWith("fold") ? "card" : "chips");
      await moved();
    }
    this.draw(state);
    if (state.phase === "yours") sound("turn");
    if (state.winners.length) sound("win");
    await moved();
  }

  /** Draw the start of a hand: blinds and cards, nothing said yet. @param {Shown} state */
  #deal(state) {
    const frame = state.frames[0];
    if (!frame || frame.number > 1) return;
    const chairs = state.chairs.map((chair, place) => ({ ...hidden(state, chair, place), said: "", net: 0, acting: false, live: true }));
    const seats = { ...state, board: [], phase: /** @type {const} */ ("thinking"), winners: [], holding: "", chairs };
    this.#draw({ ...seats, chairs: chairs.map((chair) => ({ ...chair, bet: 0 })), pot: 0 }, null);
  }

  /** Draw a state at once. @param {Shown} state */
  draw(state) {
    this.#draw(state, this.#drawn);
    this.#played = Math.max(0, ...state.frames.map((frame) => frame.number), state.hand === this.#last?.hand ? this.#played : 0);
    this.#last ??= state;
    Object.assign(this.element.dataset, { version: state.version ?? 0, phase: state.phase, hand: state.hand });
  }

  /** @param {Shown} state @param {Shown | null} before */
  #draw(state, before) {
    const felt = this.element;
    felt.dataset.seats = String(state.chairs.length);
    const old = [...felt.querySelectorAll(".seat")].map((seat) => seat.querySelector(".bet"));
    const places = old.map((bet) => bet?.getBoundingClientRect());
    const slots = Math.max(state.board.length, state.phase === "new" || state.street.startsWith("round") ? 0 : 5);
    const board = Array.from({ length: slots }, (_, place) =>
      state.board[place] ? card(state.board[place]) : h("span", { class: "slot", "aria-hidden": "true" }),
    );
    const others = state.chairs.map((chair, place) => (place === state.you ? null : seat(state, chair, place)));
    fill(
      felt,
      h("div", { class: "others" }, others),
      h("div", { class: "middle" }, h("div", { class: "board", role: "group", "aria-label": state.board.length ? "Board" : "No board yet" }, board), result(state) ?? potOf(state)),
      state.chairs[state.you] && seat(state, state.chairs[state.you], state.you),
    );
    this.#drawn = state;
    if (before && speed()) this.#animate(state, before, places);
  }

  /**
   * @param {Shown} state
   * @param {Shown} before
   * @param {(DOMRect | undefined)[]} places  of the bets before
   */
  #animate(state, before, places) {
    const felt = this.element;
    const cards = felt.querySelectorAll(".board rb-card");
    const pot = felt.querySelector(".pot, .result");
    const seats = [...felt.querySelectorAll(".seat")];
    const known = state.hand === before.hand ? before.board.length : 0;
    cards.forEach((each, place) => place >= known && moveFrom(each, pot, { delay: place - known }));
    if (known < cards.length) sound("card");
    for (const place of seats) {
      const index = Number(place.getAttribute("data-chair"));
      const [chair, was] = [state.chairs[index], state.hand === before.hand ? before.chairs[index] : null];
      if (chair.bet && chair.bet !== was?.bet) moveFrom(place.querySelector(".bet"), place.querySelector(".plate"), { opacity: 1 });
      if (!was?.cards.length) place.querySelectorAll("rb-card").forEach((each, at) => moveFrom(each, pot, { delay: at + index / 2 }));
      else if (was.cards[0] === "??" && chair.cards[0] && chair.cards[0] !== "??") place.querySelectorAll("rb-card").forEach(appear);
      if (state.winners.some((winner) => winner.chair === index)) fly(felt, pot?.getBoundingClientRect(), place.querySelector(".plate"));
    }
    const collected = before.chairs.some((chair) => chair.bet) && !state.chairs.some((chair) => chair.bet);
    if (collected && state.hand === before.hand) places.forEach((place) => fly(felt, place, pot));
    if (state.winners.length && !before.winners.length) appear(felt.querySelector(".result"));
  }
}

/**
 * Let a chip fly to an element.
 * @param {HTMLElement} felt
 * @param {DOMRect | undefined} from
 * @param {Element | null | undefined} to
 */
function fly(felt, from, to) {
  if (!from || !to) return;
  const box = felt.getBoundingClientRect();
  const chip = h("span", { class: "chip flying", "aria-hidden": "true", style: { "--left": `${from.left + from.width / 2 - box.left}px`, "--top": `${from.top + from.height / 2 - box.top}px` } });
  felt.append(chip);
  const target = to.getBoundingClientRect();
  const x = target.left + target.width / 2 - from.left - from.width / 2;
  const y = target.top + target.height / 2 - from.top - from.height / 2;
  const flight = chip.animate([{ translate: "0 0", opacity: 1 }, { translate: `${x}px ${y}px`, opacity: 0.2 }], { duration: 240 / speed(), easing: "ease-in" });
  flight.onfinish = () => chip.remove();
}

// ---- States between two states of the server

/** Return a chair whose cards are not shown yet. @param {Shown} state @param {Api.Chair} chair @param {number} place */
function hidden(state, chair, place) {
  const count = state.chairs[state.you]?.cards.length ?? 2;
  return place === state.you ? chair : { ...chair, cards: Array.from({ length: count }, () => "??") };
}

/**
 * Return the table while a player thinks.
 * @param {Shown} state
 * @param {Shown} before
 * @param {Api.Frame} frame
 * @returns {Shown}
 */
function waiting(state, before, frame) {
  const fresh = frame.board.length !== before.board.length;
  return {
    ...state,
    phase: "thinking",
    winners: [],
    holding: "",
    board: frame.board,
    pot: fresh ? before.pot : before.pot || frame.pot,
    chairs: before.chairs.map((chair, place) => ({
      ...chair, acting: place === frame.chair, net: 0,
      bet: fresh ? 0 : chair.bet, said: fresh ? "" : chair.said,
    })),
  };
}

/**
 * Return the table right after an action.
 * @param {Shown} state
 * @param {Shown} before
 * @param {Api.Frame} frame
 * @returns {Shown}
 */
export function framed(state, before, frame) {
  const fresh = frame.board.length !== before.board.length;
  return {
    ...state,
    phase: "thinking",
    winners: [],
    holding: "",
    street: frame.street,
    board: frame.board,
    pot: frame.pot,
    chairs: state.chairs.map((chair, place) => {
      const live = frame.live[place];
      const said = place === frame.chair ? frame.said : fresh ? "" : (before.chairs[place]?.said ?? "");
      const shown = hidden(state, chair, place);
      return { ...shown, bet: frame.bets[place], stack: frame.stacks[place], live, said, acting: false, net: 0, cards: live || place === state.you ? shown.cards : [] };
    }),
  };
}

// ---- Parts

/** @param {Shown} state */
function potOf(state) {
  return h("div", { class: "pot" }, state.pot ? ["Pot ", h("strong", {}, amount(state.pot, state.unit))] : "\u00a0");
}

/** The winner, the hand in words, the chips. @param {Shown} state */
function result(state) {
  const [first, second] = state.winners;
  if (!first) return null;
  const who = (/** @type {Api.Winner} */ winner) => (winner.chair === state.you ? "You" : (state.chairs[winner.chair]?.name ?? "").replace(/ \(.*/, ""));
  const names = state.winners.map(who).join(" and ");
  const verb = second ? "split" : first.chair === state.you ? "win" : "wins";
  const chips = state.winners.reduce((sum, winner) => sum + winner.chips, 0);
  return h("div", { class: "result" }, h("strong", {}, `${names} ${verb} ${amount(chips, state.unit)}`), first.words && h("span", {}, first.words));
}

/**
 * @param {Shown} state
 * @param {Api.Chair} chair
 * @param {number} place
 */
function seat(state, chair, place) {
  const you = place === state.you;
  const angle = Math.PI / 2 + (2 * Math.PI * (place - Math.max(0, state.you))) / state.chairs.length;
  const won = state.winners.some((winner) => winner.chair === place);
  const mark = ["chair", you && "you", chair.acting && "acting", !chair.live && "out", won && "won"].filter(Boolean).join(" ");
  const [name, bot] = chair.name.split(/ (?=\()/);
  return h(
    "div",
    { class: "seat", "data-chair": place, style: { "--x": Math.cos(angle).toFixed(3), "--y": Math.sin(angle).toFixed(3) } },
    h(
      "div",
      { class: mark, role: "group", "aria-label": you ? "You" : chair.name },
      h("div", { class: "hand" }, chair.cards.map((code) => card(code, you ? "" : "small"))),
      h(
        "div",
        { class: "plate" },
        !you && face(chair.face),
        h("div", { class: "who", title: bot ? bot.slice(1, -1) : "" }, h("span", {}, name), chair.button && h("span", { class: "button-mark", title: "button", role: "img", "aria-label": "has the button" }, "D")),
        h("div", { class: "stack-size" }, amount(chair.stack, state.unit), chair.net ? h("small", { class: chair.net > 0 ? "up net" : "down net" }, signedAmount(chair.net, state.unit)) : null),
        h("div", { class: "said" }, you && state.holding && state.phase !== "over" ? state.holding : chair.acting && !you ? (state.replay ? "to act" : h("span", { class: "dots" }, "thinking")) : spoken(chair.said, state.unit) || "\u00a0"),
      ),
    ),
    chair.bet > 0 && h("div", { class: "bet" }, h("span", { class: "chip", "aria-hidden": "true" }), h("span", { class: "unseen" }, "bet "), amount(chair.bet, state.unit)),
  );
}
