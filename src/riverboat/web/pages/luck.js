/** Luck-adjusted results: for how many hands AIVAT holds, and the job that computes them. */

import { Line, get, post } from "./api.js";
import { fill, h, problem } from "./dom.js";
import { chips, duration } from "./numbers.js";

/** The line below a graph of sessions. */
export class LuckLine {
  /** @type {Line | null} */
  #line = null;

  /**
   * @param {HTMLElement} place
   * @param {() => void} changed  called when results have been computed
   */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    void this.load();
  }

  async load() {
    try {
      /** @type {Api.LuckFacts} */
      const facts = await get("/luck/hands");
      if (!this.place.isConnected) return;
      const job = facts.job;
      if (job && runs(job)) this.#follow(job);
      else if (facts.unscored && job && job.state !== "finished") this.#draw(job);
      else if (facts.unscored && facts.slow) this.#offer();
      else if (facts.unscored) await this.#begin();
      else fill(this.place, heldWords(facts));
    } catch (error) {
      fill(this.place, problem(error));
    }
  }

  /** Ask before a table is computed. */
  #offer() {
    fill(this.place, h("button", { type: "button", class: "second", onclick: () => void this.#begin() }, "Adjust for luck"), h("span", { class: "quiet" }, "Takes about two minutes the first time."));
  }

  async #begin() {
    try {
      const job = await post("/luck");
      if (this.place.isConnected) this.#follow(job);
    } catch (error) {
      fill(this.place, problem(error));
    }
  }

  /** @param {Api.LuckState} job */
  #follow(job) {
    this.#draw(job);
    this.#line ??= new Line(`/luck/${job.id}/progress`, { message: (state) => this.#take(state), state: () => {}, refused: () => void this.load() });
  }

  /** @param {Api.LuckState} job */
  #take(job) {
    this.#draw(job);
    if (runs(job)) return;
    this.close();
    if (job.state === "finished") this.changed();
  }

  /** @param {Api.LuckState} job */
  #draw(job) {
    const active = runs(job);
    const act = (/** @type {string} */ what) => async () => {
      try {
        this.#follow(await post(`/luck/${job.id}/${what}`));
      } catch (error) {
        fill(this.place, problem(error));
      }
    };
    const count = job.total ? ` ${chips(job.done)} of ${chips(job.total)} ${job.doing === "luck" ? "boards" : "hands"}` : "";
    const left = job.seconds_left ? `, ${duration(job.seconds_left)} left` : "";
    fill(
      this.place,
      h("span", { class: active ? "quiet dots" : "quiet", role: "status" }, active ? `Adjusting for luck:${count}${left}` : `Adjusting for luck ${job.state}.`),
      active && job.total > 0 && h("progress", { max: job.total, value: job.done, "aria-label": "Adjusting for luck" }),
      h("button", { type: "button", class: "plain", "data-key": "luck", onclick: () => void act(active ? "stop" : "resume")() }, active ? "Stop" : "Resume"),
      job.problem && problem(job.problem),
    );
  }

  close() {
    this.#line?.close();
    this.#line = null;
  }
}

/** @param {Api.LuckState} job */
function runs(job) {
  return job.state === "running" || job.state === "waiting";
}

/** Say for how many hands AIVAT holds. @param {{held: number, hands: number}} facts */
export function heldWords({ held, hands }) {
  if (!held) return h("span", { class: "quiet" }, "Luck-adjusted results (AIVAT) need a heads-up bot whose strategy is known, such as Stan.");
  const others = held < hands ? ", all-in EV in the others" : "";
  return h("span", { class: "quiet" }, `Luck-adjusted: AIVAT in ${chips(held)} of ${chips(hands)} hands${others}.`);
}
