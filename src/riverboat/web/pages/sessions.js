/** Sessions: the list, the graph over all, and the replayer of a hand. */

import { get, post, remove } from "./api.js";
import { card, splitCards } from "./cards.js";
import { fill, h, problem, select, toast } from "./dom.js";
import { winningsGraph } from "./graph.js";
import { LuckLine, heldWords } from "./luck.js";
import { studies } from "./notes.js";
import { signed, spoken } from "./numbers.js";
import { addressOf, go } from "./router.js";
import { choose, settings } from "./settings.js";
import { Felt, framed } from "./table.js";
import { drawVerdict } from "./verdict.js";

/** @typedef {import("./table.js").Shown} Shown */

/** @param {HTMLElement} main @returns {import("./router.js").Page} */
export function open(main) {
  /** @type {Replay | null} */
  let replay = null;
  /** @type {LuckLine | null} */
  let luck = null;
  const end = () => {
    luck?.close();
    luck = replay = null;
  };
  return {
    show: (query) => {
      const [id, hand] = [query.get("id"), Number(query.get("hand")) || 0];
      end();
      if (id && hand) void showHand(main, id, hand, Number(query.get("step") ?? -1)).then((found) => (replay = found));
      else if (id) void showSession(main, id);
      else void showAll(main, (found) => (luck = found));
    },
    leave: end,
    key: (event) => replay?.key(event) ?? false,
    keys: [["←  →", "one action back, forward"], ["↑  ↓", "hand before, next hand"], ["Home  End", "first, last action"]],
  };
}

// ---- All sessions

/** @param {HTMLElement} main @param {(luck: LuckLine) => void} opened */
async function showAll(main, opened) {
  fill(main, h("h1", {}, "Sessions"), h("p", { class: "quiet dots" }, "Reading your hands"));
  const luck = h("div", { class: "row luck" });
  const place = h("div", { class: "sessions" });
  try {
    const home = await drawAll(place, luck);
    fill(
      main,
      h("div", { class: "row spread" }, h("h1", {}, "Sessions"), h("a", { class: "button", href: "/play" }, "Play")),
      home.sample && h("p", { class: "quiet" }, "No session of yours yet. This sample shows what you will see here."),
      place,
    );
    const line = new LuckLine(luck, () => void drawAll(place, luck).then(() => line.load()).catch((error) => fill(luck, problem(error))));
    opened(line);
  } catch (error) {
    fill(main, h("h1", {}, "Sessions"), problem(error));
  }
}

/** Draw the graph and the list. @param {HTMLElement} place @param {HTMLElement} luck @returns {Promise<Api.Home>} */
async function drawAll(place, luck) {
  /** @type {[Api.SessionRow[], Api.Home]} */
  const [sessions, home] = await Promise.all([get("/sessions"), get("/home")]);
  const held = home.held > 0;
  const heads = ["Hands", "Won (bb)", "All-in EV", held && "Luck-adjusted"].filter(Boolean);
  const rows = sessions.map((each) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "date" }, h("a", { href: addressOf("sessions", { id: each.id }) }, dateOf(each.began)), each.live && h("small", {}, " open")),
      h("td", { class: "left" }, against(each.opponents)),
      h("td", {}, String(each.hands)),
      resultCell(each.won / each.unit),
      resultCell(each.expected / each.unit),
      held && (each.held ? resultCell(each.adjusted / each.unit) : h("td", {}, "–")),
    ),
  );
  fill(
    place,
    h("section", { class: "card stack", "aria-label": "Graph" }, h("h2", {}, "All hands"), winningsGraph(/** @type {any} */ (home.graph), home.held), h("p", { class: "quiet" }, "All-in EV counts your equity when the money went in."), luck),
    h(
      "section",
      { class: "card scroll", tabindex: 0, "aria-label": "List of sessions" },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Date"), h("th", { scope: "col", class: "left" }, "Opponents"), heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)),
    ),
  );
  return home;
}

/** Name opponents; of several only their first names. @param {string[]} names */
function against(names) {
  return h("span", { title: names.join(", ") }, names.length > 2 ? names.map((name) => name.replace(/ \(.*/, "")).join(", ") : names.join(", "));
}

/** @param {number} number */
const hands = (number) => `${number} hand${number === 1 ? "" : "s"}`;

/** @param {string} text */
function dateOf(text) {
  return text ? new Date(text).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) : "no date";
}

/** @param {number} value  big blinds */
function resultCell(value) {
  return h("td", { class: value > 0 ? "up" : value < 0 ? "down" : "" }, signed(value));
}

// ---- One session

/** @param {HTMLElement} main @param {string} id */
async function showSession(main, id) {
  fill(main, h("h1", {}, "Session"), h("p", { class: "quiet dots" }, "Reading the hands"));
  try {
    /** @type {Api.SessionFound} */
    const session = await get(`/sessions/${encodeURIComponent(id)}`);
    let total = 0;
    let fair = 0;
    let lucky = 0;
    const points = session.rows.map((row) => /** @type {[number, number, number, number]} */ ([row.number, (total += row.won / session.unit), (fair += row.expected / session.unit), (lucky += (row.adjusted ?? row.expected) / session.unit)]));
    const order = select([["number", "in order"], ["won", "largest wins first"], ["lost", "largest losses first"]], "number", { "aria-label": "Order of hands" });
    const body = h("tbody");
    const drawRows = () => {
      const by = { number: (/** @type {Api.HandRow} */ row) => row.number, won: (/** @type {Api.HandRow} */ row) => -row.won, lost: (/** @type {Api.HandRow} */ row) => row.won };
      const key = by[/** @type {"number" | "won" | "lost"} */ (order.value)];
      fill(body, [...session.rows].sort((a, b) => key(a) - key(b)).map((row) => handRow(session, row)));
    };
    order.addEventListener("change", drawRows);
    drawRows();
    const actions = h("div", { class: "row" });
    const said = h("p", { class: "status", role: "status" });
    drawActions(actions, said, session);
    fill(
      main,
      h("p", {}, h("a", { href: "/sessions" }, "All sessions")),
      h("h1", {}, id === "sample" ? "Sample session" : `Session of ${dateOf(session.began)}`),
      h("p", {}, `${hands(session.hands)} against ${session.opponents.join(", ")}: `, h("strong", { class: session.won >= 0 ? "up" : "down" }, `${signed(session.won / session.unit)} bb`), `, ${signed(session.expected / session.unit)} bb with all-in EV${session.held ? `, ${signed(session.adjusted / session.unit)} bb luck-adjusted` : ""}.`),
      actions,
      said,
      h(
        "div",
        { class: "sessions" },
        h("section", { class: "card", "aria-label": "Graph" }, winningsGraph([[0, 0, 0, 0], ...points], session.held), session.held > 0 && h("p", {}, heldWords(session))),
        h("section", { class: "card", "aria-label": "Hands" }, h("div", { class: "row spread" }, h("h2", {}, "Hands"), h("span", {}, order)), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "List of hands" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Hand"), h("th", { scope: "col", class: "left" }, "Cards"), h("th", { scope: "col", class: "left" }, "Board"), h("th", { scope: "col" }, "Won (bb)"))), body))),
      ),
    );
  } catch (error) {
    fill(main, h("h1", {}, "Session"), problem(error), h("a", { href: "/sessions" }, "All sessions"));
  }
}

/** @param {Api.SessionFound} session @param {Api.HandRow} row */
function handRow(session, row) {
  const cards = (/** @type {string} */ text) => splitCards(text).map((code) => card(code, "text"));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: addressOf("sessions", { id: session.id, hand: String(row.number) }) }, String(row.number))),
    h("td", { class: "left" }, cards(row.hole)),
    h("td", { class: "left" }, cards(row.board)),
    resultCell(row.won / session.unit),
  );
}

/** @param {HTMLElement} place @param {HTMLElement} said @param {Api.SessionFound} session */
function drawActions(place, said, session) {
  const path = `/sessions/${encodeURIComponent(session.id)}`;
  const act = (/** @type {string} */ words, /** @type {string} */ doing, /** @type {() => Promise<void>} */ work, kind = "") => {
    const button = h("button", { type: "button", class: kind }, words);
    button.addEventListener("click", async () => {
      said.classList.add("dots");
      said.textContent = doing;
      button.setAttribute("aria-disabled", "true");
      try {
        await work();
      } catch (error) {
        fill(said, problem(error));
      }
      said.classList.remove("dots");
      button.removeAttribute("aria-disabled");
    });
    return button;
  };
  const review = async () => {
    const { id } = await post(`${path}/review`);
    go("review", { review: id });
  };
  const again = async () => {
    /** @type {Api.Repeated} */
    const { questions, decisions } = await post(`${path}/again`);
    if (questions) fill(said, `${questions} of ${decisions} decisions are now questions. `, h("a", { href: "/trainer" }, "Ask me these again"));
    else said.textContent = `No new mistake found in ${decisions} decisions.`;
  };
  const discard = async () => {
    if (!confirm("Delete this session and its hands?")) {
      said.textContent = "";
      return;
    }
    await remove(path);
    toast("The session was deleted.");
    go("sessions");
  };
  fill(
    place,
    act("Review this session", "Starting the review", review, "main"),
    act("Ask me these again", "Looking for your mistakes", again),
    h("a", { class: "button second", href: `/api/v1${path}/export?format=phh`, download: "session.phhs" }, "Save as PHH"),
    h("a", { class: "button second", href: `/api/v1${path}/export?format=pokerstars`, download: "session.txt" }, "Save as PokerStars"),
    session.id !== "sample" && act("Delete", "", discard, "plain danger"),
  );
}

// ---- One hand

/** @param {HTMLElement} main @param {string} id @param {number} hand @param {number} step */
async function showHand(main, id, hand, step) {
  try {
    /** @type {Api.Replayed} */
    const found = await get(`/sessions/${encodeURIComponent(id)}/hands/${hand}`);
    return new Replay(main, found, step);
  } catch (error) {
    fill(main, h("h1", {}, "Hand"), problem(error), h("a", { href: "/sessions" }, "All sessions"));
    return null;
  }
}

class Replay {
  /** @param {HTMLElement} main @param {Api.Replayed} found @param {number} step */
  constructor(main, found, step) {
    this.found = found;
    this.step = step < 0 || step > found.frames.length + 1 ? 0 : step;
    const felt = h("section", { "aria-label": "Table" });
    this.felt = new Felt(felt);
    this.bar = h("div", { class: "table-bar" });
    this.moves = h("section", { class: "moves", "aria-label": "Replay" });
    this.list = h("ol", { tabindex: 0, "aria-label": "Actions of this hand" });
    this.verdict = h("section", { class: "after", "aria-label": "Your play" });
    fill(
      main,
      h("h1", { class: "unseen" }, "Hand"),
      h(
        "div",
        { class: "play" },
        h("div", { class: "play-main" }, this.bar, h("div", { class: "felt-box" }, felt), this.moves),
        h("aside", { class: "side" }, h("section", { class: "card", "aria-label": "Your play" }, h("h2", {}, "Your play"), this.verdict), h("section", { class: "card notes", "aria-label": "Actions" }, h("h2", {}, "This hand"), this.list)),
      ),
    );
    this.draw();
    void this.#judge();
  }

  /** The table after `step` actions; one more is the result. @returns {Shown} */
  state() {
    const { found, step } = this;
    const over = step > found.frames.length;
    const chairs = found.players.map((player) => ({ ...player, stack: player.stack - player.bet, total: 0, live: true, acting: false, said: "", net: 0 }));
    const base = /** @type {Shown} */ ({ chairs, board: [], pot: found.players.reduce((sum, player) => sum + player.bet, 0), unit: found.unit, you: found.you, street: "preflop", hand: found.number, phase: "thinking", frames: [], winners: [], holding: "", game: found.game, version: step, replay: true });
    let shown = base;
    for (const frame of found.frames.slice(0, step)) {
      shown = framed({ ...base, chairs: base.chairs }, shown, frame);
      shown.chairs = shown.chairs.map((chair, place) => ({ ...chair, cards: chair.live || place === found.you ? found.players[place].cards : [] }));
    }
    const next = found.frames[step];
    if (over) {
      const ends = shown.chairs.map((chair, place) => ({ ...chair, bet: 0, net: found.players[place].net, stack: found.players[place].stack + found.players[place].net }));
      return { ...shown, board: found.board, pot: 0, chairs: ends, winners: found.winners, phase: "over" };
    }
    const fresh = next && next.board.length !== shown.board.length;
    return { ...shown, board: next?.board ?? shown.board, chairs: shown.chairs.map((chair, place) => ({ ...chair, bet: fresh ? 0 : chair.bet, acting: next?.chair === place })) };
  }

  draw() {
    const { found, step } = this;
    const end = found.frames.length + 1;
    this.felt.draw(this.state());
    const other = settings.unit === "bb" ? "chips" : "bb";
    const hand = (/** @type {number} */ number, /** @type {string} */ words) => h("a", { class: "button second", href: addressOf("sessions", { id: found.id, hand: String(number) }), "aria-disabled": number < 1 || number > found.hands ? "true" : null, "data-key": words }, words);
    fill(
      this.bar,
      h("span", { class: "quiet facts-line" }, h("a", { href: addressOf("sessions", { id: found.id }) }, "Session"), ` · hand ${found.number} of ${found.hands} · ${found.game}`),
      found.unit > 1 && h("button", { type: "button", class: "plain", "aria-label": `${settings.unit}: Show ${other}`, title: `Show ${other}`, onclick: () => choose("unit", other) }, settings.unit === "bb" ? "bb" : "chips"),
    );
    const button = (/** @type {string} */ words, /** @type {string} */ label, /** @type {number} */ to, kind = "") => h("button", { type: "button", class: kind, "data-key": label, "aria-label": label, title: label, "aria-disabled": to < 0 || to > end ? "true" : null, onclick: () => this.go(to) }, words);
    const slider = h("input", { type: "range", min: 0, max: end, value: String(step), "aria-label": "Action", "data-key": "slider", oninput: () => this.go(Number(slider.value)) });
    fill(
      this.moves,
      slider,
      h("div", { class: "buttons replay" }, found.number > 1 ? hand(found.number - 1, "Previous hand") : null, button("«", "First action", step ? 0 : -1), button("‹", "One action back", step - 1), button("›", "One action forward", step < end ? step + 1 : end + 1, "main"), button("»", "Last action", step < end ? end : end + 1), found.number < found.hands ? hand(found.number + 1, "Next hand") : null),
    );
    fill(
      this.list,
      found.frames.map((frame, place) =>
        h("li", { class: place === step - 1 ? "now" : "" }, h("button", { type: "button", class: "plain", "data-key": `step${place}`, onclick: () => this.go(place + 1) }, h("b", {}, found.players[frame.chair].name.replace(/ \(.*/, "")), ` ${spoken(frame.chair === found.you ? frame.said.replace(/^(\w+)s\b/, "$1") : frame.said, found.unit)}`)),
      ),
    );
    history.replaceState(null, "", addressOf("sessions", { id: found.id, hand: String(found.number), step: step ? String(step) : null }));
  }

  /** @param {number} step */
  go(step) {
    if (step < 0 || step > this.found.frames.length + 1) return;
    this.step = step;
    this.draw();
  }

  /** Grade the user's decisions. */
  async #judge() {
    fill(this.verdict, h("p", { class: "quiet dots" }, "Grading your decisions"));
    try {
      const { id, number, unit } = this.found;
      /** @type {Api.Choice[]} */
      const choices = await get(`/sessions/${encodeURIComponent(id)}/hands/${number}/choices`);
      drawVerdict(this.verdict, choices, { unit, hand: "", study: studies({ game: this.found.game, chairs: this.found.players }) });
    } catch (error) {
      fill(this.verdict, problem(error));
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const end = this.found.frames.length + 1;
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: this.step - 1, ArrowRight: this.step + 1, " ": this.step + 1, Home: 0, End: end });
    const hands = /** @type {Record<string, number>} */ ({ ArrowUp: this.found.number - 1, ArrowDown: this.found.number + 1 });
    if (event.key in steps) this.go(steps[event.key]);
    else if (event.key in hands) {
      const number = hands[event.key];
      if (number >= 1 && number <= this.found.hands) go("sessions", { id: this.found.id, hand: String(number) });
    } else return false;
    return true;
  }
}
