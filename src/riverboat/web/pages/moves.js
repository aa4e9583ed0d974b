/** The move controls: buttons, bet sizes, slider, size field, clock. */

import { card } from "./cards.js";
import { fill, h } from "./dom.js";
import { chips } from "./numbers.js";
import { priceWords } from "./table.js";

export class Moves {
  /** @type {Api.TableState | null} */
  #state = null;
  #drawn = "";
  #sent = false; // a move was sent and has no answer yet
  #timer = 0;
  #deadline = 0;
  #size = h("input", { type: "text", "data-key": "size", "aria-label": "Bet size", autocomplete: "off", spellcheck: "false" });
  #slider = h("input", { type: "range", "data-key": "slider", "aria-label": "Bet size" });
  #clock = h("span", { class: "clock", role: "timer" });

  /**
   * @param {HTMLElement} place
   * @param {(move: string) => void} send
   */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    this.#slider.addEventListener("input", () => (this.#size.value = this.#slider.value));
    this.#size.addEventListener("input", () => this.#follow());
    for (const field of [this.#size, this.#slider]) {
      field.addEventListener("keydown", (event) => this.#typed(event));
    }
    this.#timer = window.setInterval(() => this.#tick(), 250);
  }

  /** @param {Api.TableState} state */
  draw(state) {
    this.#state = state;
    this.#deadline = state.seconds_left === null ? 0 : performance.now() + 1000 * state.seconds_left;
    const drawn = `${state.version} ${state.phase}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#sent = false;
    const legal = state.legal;
    if (legal?.least !== null && legal?.least !== undefined) this.#sizes(state, legal);
    if (legal) fill(this.place, this.#price(state), this.#buttons(state, legal), this.#raise(state, legal), this.#discards(legal));
    else fill(this.place, this.#waiting(state));
    this.#tick();
  }

  /** @param {Api.TableState} state @param {Api.Legal} legal */
  #sizes(state, legal) {
    this.#slider.min = String(legal.least);
    this.#slider.max = String(legal.most);
    this.#slider.step = "1";
    const preset = state.presets.find(({ name }) => name === "2/3" || name === "1/2") ?? state.presets[0];
    this.#slider.value = String(preset?.to ?? legal.least);
    this.#size.value = this.#slider.value;
  }

  /** @param {Api.TableState} state */
  #price(state) {
    return h("div", { class: "row spread price" }, h("span", {}, priceWords(state) || "Your move"), this.#clock);
  }

  /** @param {Api.TableState} state @param {Api.Legal} legal */
  #buttons(state, legal) {
    const call = legal.call === null ? "" : state.chairs[state.you].stack <= legal.call ? "Call all-in" : "Call";
    return h(
      "div",
      { class: "row buttons" },
      legal.fold && this.#button("Fold", "f", "F", "fold"),
      legal.check && this.#button("Check", "k", "K", "call"),
      legal.call !== null && this.#button(`${call} ${chips(legal.call)}`, "c", "C", "call"),
      legal.stand && this.#button("Stand pat", "s", "S", "call"),
    );
  }

  /**
   * @param {string} words
   * @param {string} move
   * @param {string} key
   * @param {string} kind
   */
  #button(words, move, key, kind) {
    return h("button", { type: "button", class: `move ${kind}`, "data-key": move, "data-move": move, "aria-keyshortcuts": key, onclick: () => this.act(move) }, words, h("kbd", { "aria-hidden": "true" }, key));
  }

  /** @param {Api.TableState} state @param {Api.Legal} legal */
  #raise(state, legal) {
    if (legal.least === null) return null;
    const word = state.chairs.some((chair) => chair.bet > 0) ? "Raise to" : "Bet";
    const presets = state.presets.map((preset, place) =>
      h("button", { type: "button", class: "preset", "data-key": `preset${place}`, "data-move": `b${preset.to}`, onclick: () => this.act(`b${preset.to}`) }, h("kbd", { "aria-hidden": "true" }, place + 1), preset.name, h("small", {}, chips(preset.to))),
    );
    return h(
      "div",
      { class: "raise" },
      h("div", { class: "row presets", role: "group", "aria-label": `${word}: preset sizes` }, presets),
      h(
        "div",
        { class: "row size" },
        this.#slider,
        this.#size,
        h("button", { type: "button", class: "move bet", "data-key": "b", "data-move": "b", onclick: () => this.act(this.#typedSize()) }, word),
      ),
    );
  }

  /** @param {Api.Legal} legal */
  #discards(legal) {
    if (!legal.discards.length) return null;
    return h(
      "div",
      { class: "row presets", role: "group", "aria-label": "Discard" },
      h("span", {}, "Discard"),
      legal.discards.map((code, place) =>
        h("button", { type: "button", class: "preset", "data-key": `d${code}`, "data-move": `d ${code}`, onclick: () => this.act(`d ${code}`) }, h("span", { class: "unseen" }, "discard the "), h("kbd", { "aria-hidden": "true" }, place + 1), card(code, "text")),
      ),
    );
  }

  /** @param {Api.TableState} state */
  #waiting(state) {
    if (state.phase === "thinking") return h("p", { class: "quiet" }, state.wait || "Waiting for the other players …");
    const words = state.phase === "new" ? "Deal first hand" : "Deal next hand";
    return h("div", { class: "row buttons" }, h("button", { type: "button", class: "main", "data-key": "deal", "data-move": "deal", "aria-keyshortcuts": "Space", onclick: () => this.act("deal") }, words, h("kbd", { "aria-hidden": "true" }, "Space")));
  }

  /** Send a move once; the buttons are disabled until the server answers. @param {string} move */
  act(move) {
    if (!move || this.#sent) return;
    this.#sent = true;
    for (const button of this.place.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
    this.send(move);
  }

  /** Enable the buttons again. */
  enable() {
    this.#sent = false;
    for (const button of this.place.querySelectorAll("button")) button.removeAttribute("aria-disabled");
  }

  #typedSize() {
    const text = this.#size.value.trim();
    return /^\d+$/.test(text) ? `b${text}` : text;
  }

  #follow() {
    const text = this.#size.value.trim();
    if (/^\d+$/.test(text)) this.#slider.value = text;
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    const step = this.#state?.unit ?? 1;
    if (event.key === "Enter") this.act(this.#typedSize());
    else if (event.key === "Escape") this.#size.blur();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const by = event.key === "ArrowUp" ? step : -step;
      this.#slider.value = String(Number(this.#slider.value) + by);
      this.#size.value = this.#slider.value;
    } else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const legal = this.#state?.legal;
    const key = event.key.toLowerCase();
    if (event.shiftKey) return false;
    if (!legal) {
      const deals = key === " " && this.#state?.phase !== "thinking" && this.#state !== null;
      if (deals) this.act("deal");
      return deals;
    }
    const move = this.#moveOf(key, legal);
    if (move === "size") {
      this.#size.focus();
      this.#size.select();
    } else if (move) this.act(move);
    return Boolean(move);
  }

  /**
   * @param {string} key
   * @param {Api.Legal} legal
   */
  #moveOf(key, legal) {
    if (key === "f" && legal.fold) return "f";
    if (key === "k" && legal.check) return "k";
    if (key === "c") return legal.call !== null ? "c" : legal.check ? "k" : "";
    if (key === "s" && legal.stand) return "s";
    if ((key === "b" || key === "r") && legal.least !== null) return "size";
    const discard = legal.discards[Number(key) - 1];
    if (discard) return `d ${discard}`;
    const preset = this.#state?.presets[Number(key) - 1];
    return preset ? `b${preset.to}` : "";
  }

  #tick() {
    const left = this.#deadline ? Math.max(0, (this.#deadline - performance.now()) / 1000) : null;
    this.#clock.textContent = left === null ? "" : `${Math.ceil(left)} s`;
    this.#clock.classList.toggle("late", left !== null && left < 6);
  }

  end() {
    clearInterval(this.#timer);
  }
}
