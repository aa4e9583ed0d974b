/** The move controls: buttons, bet sizes, slider, size field, clock. */

import { card } from "./cards.js";
import { fill, h } from "./dom.js";
import { amount, bare, inBlinds, percent } from "./numbers.js";
import { settings } from "./settings.js";

export class Moves {
  /** @type {Api.TableState | null} */
  #state = null;
  #drawn = "";
  #raising = h("span");
  #word = ""; // Bet, or Raise to
  #sent = false; // a move was sent and has no answer yet
  #timer = 0;
  #deadline = 0;
  #size = h("input", { type: "text", "data-key": "size", "aria-label": "Bet size", autocomplete: "off", spellcheck: "false" });
  #slider = h("input", { type: "range", "data-key": "slider", "aria-label": "Bet size" });
  #clock = h("span", { class: "clock", role: "timer" });

  /**
   * @param {HTMLElement} place
   * @param {(move: string) => void} send
   * @param {HTMLElement} [after]  shown above the button for the next hand
   */
  constructor(place, send, after) {
    this.place = place;
    this.send = send;
    this.after = after;
    this.#slider.addEventListener("input", () => this.#choose(Number(this.#slider.value)));
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
    const drawn = `${state.version} ${state.phase} ${settings.unit} ${settings.sizes}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#sent = false;
    const legal = state.legal;
    if (legal?.least !== null && legal?.least !== undefined) this.#sizes(state, legal);
    this.place.dataset.phase = state.phase;
    if (legal) fill(this.place, this.#discards(legal), this.#raise(state, legal), this.#buttons(state, legal));
    else fill(this.place, state.phase === "over" && this.after, this.#waiting(state));
    this.#tick();
  }

  /** @param {Api.TableState} state @param {Api.Legal} legal */
  #sizes(state, legal) {
    this.#slider.min = String(legal.least);
    this.#slider.max = String(legal.most);
    this.#slider.step = "1";
    this.#word = state.chairs.some((chair) => chair.bet > 0) ? "Raise to" : "Bet";
    const usual = state.presets.find(({ name }) => name === "2.5x" || name === "75 %") ?? state.presets[0];
    this.#choose(usual?.to ?? legal.least ?? 0);
  }

  /** Show a size in all controls. @param {number} to chips */
  #choose(to) {
    const unit = this.#state?.unit ?? 1;
    this.#slider.value = String(to);
    this.#size.value = bare(to, unit).replaceAll(",", "");
    this.#label(amount(to, unit));
  }

  /** @param {string} size */
  #label(size) {
    const most = Number(this.#slider.value) === this.#state?.legal?.most;
    this.#raising.textContent = most && this.#state?.presets.at(-1)?.name === "all-in" ? "All-in" : `${this.#word} ${size}`;
  }

  /** @param {Api.TableState} state @param {Api.Legal} legal */
  #buttons(state, legal) {
    const call = legal.call === null ? "" : state.chairs[state.you].stack <= legal.call ? "Call all-in" : "Call";
    const odds = state.odds === null ? "" : `needs ${percent(state.odds)}`;
    return h(
      "div",
      { class: "buttons" },
      legal.fold && this.#button("Fold", "f", "F", "fold"),
      legal.check && this.#button("Check", "k", "K", "call"),
      legal.call !== null && this.#button(`${call} ${amount(legal.call, state.unit)}`, "c", "C", "call", odds),
      legal.stand && this.#button("Stand pat", "s", "S", "call"),
      legal.least !== null && h("button", { type: "button", class: "move bet", "data-key": "b", "data-move": "b", onclick: () => this.act(this.#typedSize()) }, this.#raising, h("kbd", { "aria-hidden": "true" }, "↵")),
      this.#clock,
    );
  }

  /**
   * @param {string} words
   * @param {string} move
   * @param {string} key
   * @param {string} kind
   * @param {string} [small]
   */
  #button(words, move, key, kind, small = "") {
    return h("button", { type: "button", class: `move ${kind}`, "data-key": move, "data-move": move, "aria-keyshortcuts": key, title: small ? "equity that a call needs to break even" : "", onclick: () => this.act(move) }, h("span", {}, words, small && h("small", {}, small)), h("kbd", { "aria-hidden": "true" }, key));
  }

  /** @param {Api.TableState} state @param {Api.Legal} legal */
  #raise(state, legal) {
    if (legal.least === null) return h("div", { class: "raise" });
    const presets = state.presets.map((preset, place) => this.#preset(preset.name, amount(preset.to, state.unit), `b${preset.to}`, place + 1));
    const own = ownSizes().map((size, place) => this.#preset(size, "", size, state.presets.length + place + 1));
    return h(
      "div",
      { class: "raise" },
      h("div", { class: "presets", role: "group", "aria-label": `${this.#word}: preset sizes` }, presets, own),
      h("div", { class: "size" }, this.#slider, this.#size),
    );
  }

  /**
   * @param {string} name
   * @param {string} size
   * @param {string} move
   * @param {number} key
   */
  #preset(name, size, move, key) {
    return h("button", { type: "button", class: "preset", "data-key": `preset${key}`, "data-move": move, onclick: () => this.act(move) }, h("kbd", { "aria-hidden": "true" }, key), h("span", {}, name, size && h("small", {}, size)));
  }

  /** @param {Api.Legal} legal */
  #discards(legal) {
    if (!legal.discards.length) return null;
    return h(
      "div",
      { class: "presets discards", role: "group", "aria-label": "Discard" },
      h("span", {}, "Discard"),
      legal.discards.map((code, place) =>
        h("button", { type: "button", class: "preset", "data-key": `d${code}`, "data-move": `d ${code}`, onclick: () => this.act(`d ${code}`) }, h("span", { class: "unseen" }, "discard the "), h("kbd", { "aria-hidden": "true" }, place + 1), card(code, "text")),
      ),
    );
  }

  /** @param {Api.TableState} state */
  #waiting(state) {
    if (state.phase === "thinking") return h("p", { class: "quiet dots" }, state.wait || "Waiting for the other players");
    const words = state.phase === "new" ? "Deal first hand" : "Deal next hand";
    return h("div", { class: "buttons" }, h("button", { type: "button", class: "main", "data-key": "deal", "data-move": "deal", "aria-keyshortcuts": "Space", onclick: () => this.act("deal") }, words, h("kbd", { "aria-hidden": "true" }, "Space")));
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
    const [text, unit] = [this.#size.value.trim(), this.#state?.unit ?? 1];
    if (inBlinds(unit) && /^\d*[.,]?\d+$/.test(text)) {
      const size = Number(text.replace(",", "."));
      return `b${Math.round(size * unit)}`;
    }
    return /^\d+$/.test(text) ? `b${text}` : text;
  }

  #follow() {
    const move = this.#typedSize();
    if (/^b\d+$/.test(move)) this.#slider.value = move.slice(1);
    this.#label(/^b\d+$/.test(move) ? amount(Number(move.slice(1)), this.#state?.unit ?? 1) : this.#size.value.trim());
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    const step = this.#state?.unit ?? 1;
    if (event.key === "Enter") this.act(this.#typedSize());
    else if (event.key === "Escape") this.#size.blur();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const by = event.key === "ArrowUp" ? step : -step;
      this.#choose(Math.min(Number(this.#slider.max), Math.max(Number(this.#slider.min), Number(this.#slider.value) + by)));
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
    if (preset) return `b${preset.to}`;
    return legal.least === null ? "" : (ownSizes()[Number(key) - 1 - (this.#state?.presets.length ?? 0)] ?? "");
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

/** The user's own bet sizes, from the settings. */
function ownSizes() {
  return settings.sizes.split(",").map((size) => size.trim()).filter(Boolean).slice(0, 4);
}
