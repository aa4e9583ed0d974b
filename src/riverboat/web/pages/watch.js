/** Watch: this user's runs, from logs and the ledger; jobs of this server can be stopped and resumed. */

import { get, post } from "./api.js";
import { fill, h, problem, toast } from "./dom.js";
import { chips, duration, signed, size } from "./numbers.js";
import { addressOf } from "./router.js";
import { drawRun } from "./runs.js";

/** @typedef {import("./router.js").Page} Page */

const EVERY = 3000;
/** Steps of reviews. @type {Record<string, string>} */
const STEPS = { reading: "reading the file", values: "computing EVs, once", luck: "values for AIVAT, once", hands: "grading hands", streets: "solving turns and rivers" };

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  let timer = 0;
  let left = false;
  const list = h("section", { class: "stack", "aria-label": "Runs" });
  const look = async () => {
    try {
      draw(list, await get("/watch"));
    } catch (error) {
      fill(list, problem(error));
    }
    if (!left) timer = window.setTimeout(() => void look(), EVERY);
  };
  return {
    show: () => {
      clearTimeout(timer);
      fill(main, h("h1", {}, "Watch"), h("p", { class: "quiet" }, "Your training runs, matches, solves, reviews, libraries and reports."), list);
      void look();
    },
    leave: () => {
      left = true;
      clearTimeout(timer);
    },
  };
}

/** @param {HTMLElement} list @param {Api.Watched[]} runs */
function draw(list, runs) {
  if (!runs.length) {
    fill(list, h("div", { class: "card nothing stack" }, h("p", {}, "Nothing has run yet. A match takes seconds and appears here."), h("a", { class: "button", href: "/matches" }, "Start a match")));
    return;
  }
  fill(list, runs.map(runOf));
}

/** @param {Api.Watched} run */
function runOf(run) {
  const seen = run.seen < 5 ? "now" : `${duration(run.seen)} ago`;
  const curve = /** @type {import("./runs.js").Point[]} */ (/** @type {unknown} */ (run.curve));
  const facts = Object.entries(run.facts).filter(([name, value]) => value !== null && value !== "" && name !== "seconds_left" && name !== "bots");
  const [first] = /** @type {any[]} */ (run.facts.bots ?? []);
  const place = h("article", { class: "card stack run" });
  drawRun(place, {
    id: run.place,
    name: run.name,
    about: `${run.kind} · ${run.place}`,
    state: run.state,
    progress: run.state === "running" && run.share !== null ? `${Math.floor(100 * run.share)} %` : seen,
    share: run.state === "running" ? run.share : null,
    secondsLeft: /** @type {number | null} */ (run.facts.seconds_left ?? null),
    problem: run.problem,
    words: first ? winnings(first) : "",
    curve,
    measure: run.measure.includes(", over ") ? run.measure : curve.length > 1 ? `${run.measure}, over ${duration(curve[curve.length - 1][0])}` : "",
    buttons: run.job ? jobButtons(run) : [],
    more: [h("dl", { class: "facts wide" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, written(name, value))))), run.table && crossTable(run.table)],
  });
  return place;
}

/** Buttons of a job of this server. @param {Api.Watched} run */
function jobButtons(run) {
  const runs = run.state === "running" || run.state === "waiting";
  const act = async (/** @type {string} */ what) => {
    try {
      await post(`${run.job}/${what}`);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  };
  const [, kind, id] = run.job.split("/");
  const page = { solves: addressOf("solve", { id }), reviews: addressOf("review", { review: id }), luck: "/sessions", matches: "/matches" }[kind];
  return [
    runs ? h("button", { type: "button", "data-key": `stop${run.job}`, onclick: () => void act("stop") }, "Stop") : null,
    run.state === "stopped" || run.state === "failed" ? h("button", { type: "button", "data-key": `resume${run.job}`, onclick: () => void act("resume") }, "Resume") : null,
    page ? h("a", { href: page }, "Open") : null,
  ];
}

/** Draw a cross table: rows against columns, with confidence intervals. @param {Api.CrossTable} table */
function crossTable(table) {
  const cell = (/** @type {Api.Cell | null} */ won) =>
    won === null ? h("td", {}) : h("td", { class: (won.low ?? 0) > 0 ? "up" : (won.high ?? 0) < 0 ? "down" : "" }, signed(won.mean, 0), won.low !== null && won.high !== null && h("small", {}, ` ± ${((won.high - won.low) / 2).toFixed(0)}`));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table" },
    h(
      "table",
      {},
      h("caption", {}, "Winnings of the row bot against the column bot (mbb/hand, 95 % confidence)"),
      h("thead", {}, h("tr", {}, h("td", {}), table.bots.map((bot) => h("th", { scope: "col" }, bot)))),
      h("tbody", {}, table.bots.map((bot, row) => h("tr", {}, h("th", { scope: "row" }, bot), table.cells[row].map(cell)))),
    ),
  );
}

/** @param {string} name @param {any} value @returns {string} */
function written(name, value) {
  if (Array.isArray(value)) return value.map((item) => (typeof item === "object" ? winnings(item) : String(item))).join("; ") || "none yet";
  if (typeof value === "object") return JSON.stringify(value);
  if (name === "started") return new Date(value).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  if (name === "step") return STEPS[value] ?? value;
  if (typeof value !== "number") return String(value);
  if (name.endsWith("bytes")) return size(value);
  if (name.startsWith("seconds")) return duration(value);
  return Number.isInteger(value) || value >= 100 ? chips(Math.round(value)) : value.toPrecision(3);
}

/** @param {{bot: string, mbb_per_hand: {mean: number, interval_95: [number | null, number | null]} | null}} row */
function winnings(row) {
  const won = row.mbb_per_hand;
  if (!won) return row.bot;
  const [low, high] = won.interval_95;
  const band = low === null || high === null ? "" : ` (${low.toFixed(0)} to ${high.toFixed(0)})`;
  return `${row.bot} ${won.mean.toFixed(0)} mbb/hand${band}`;
}
