/** Home: one screen from which everything starts. */

import { get } from "./api.js";
import { fill, h, problem, s } from "./dom.js";
import { winningsGraph } from "./graph.js";
import { signed } from "./numbers.js";
import { addressOf } from "./router.js";
import { lastTable, sitDown } from "./seats.js";

/** @param {HTMLElement} main @returns {import("./router.js").Page} */
export function open(main) {
  return {
    show: () => draw(main),
    leave: () => {},
    key: (event) => {
      if (event.key !== " " && event.key !== "d") return false;
      main.querySelector(/** @type {"button"} */ (".deal-in"))?.click();
      return true;
    },
    keys: [["D  Space", "deal me in"]],
  };
}

/** @param {HTMLElement} main */
function draw(main) {
  const errors = h("div");
  const mine = h("div", { class: "home-mine" }, tile("Practise", "…"), tile("Last session", "…"), tile("Your graph", "…"));
  const spots = h("div", { class: "home-spots" }, Array.from({ length: 4 }, () => h("div", { class: "card spot-tile" })));
  const deal = h("button", { type: "button", class: "main deal-in" }, "Deal me in", h("kbd", { "aria-hidden": "true" }, "D"));
  deal.addEventListener("click", () => void startHand(deal, errors));
  fill(
    main,
    h(
      "div",
      { class: "home" },
      h(
        "section",
        { class: "home-play" },
        h("h1", {}, "Play the solver. See what each mistake costs."),
        h("p", {}, "Heads-up no-limit hold'em, 100 big blinds. Free, offline, no account."),
        h("div", { class: "row" }, deal, h("a", { href: "/play" }, "Choose another opponent"), lastTable()),
        errors,
      ),
      mine,
      h("section", { "aria-label": "Example spots" }, h("h2", {}, "Study a spot"), spots),
    ),
  );
  void get("/home").then((found) => drawMine(mine, found), (error) => fill(mine, problem(error)));
  void get("/examples").then((found) => fill(spots, found.map(spotTile)), (error) => fill(spots, problem(error)));
}

/** @param {HTMLElement} button @param {HTMLElement} errors */
async function startHand(button, errors) {
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  try {
    await sitDown({});
  } catch (error) {
    fill(errors, problem(error));
    button.removeAttribute("aria-disabled");
  }
}

/** @param {string} title @param {...any} content */
function tile(title, ...content) {
  return h("section", { class: "card stack", "aria-label": title }, h("h2", {}, title), ...content);
}

/** @param {HTMLElement} place @param {Api.Home} found */
function drawMine(place, found) {
  const { last } = found;
  const result = h("p", { class: "big" }, h("strong", { class: last.won >= 0 ? "up" : "down" }, `${signed(last.won / last.unit)} bb`), ` in ${last.hands} hand${last.hands === 1 ? "" : "s"}`);
  fill(
    place,
    tile(
      "Practise",
      h("p", { class: "big" }, h("strong", {}, "10 questions"), found.due ? `, ${found.due} due` : ""),
      h("p", { class: "quiet" }, found.answers ? `${found.answers} answered so far. Your mistakes come back.` : "Decide, then see the EV loss. Mistakes come back."),
      h("a", { class: "button second", href: "/trainer" }, "Ask me"),
    ),
    tile(
      found.sample ? "A sample session" : "Your last session",
      result,
      h("p", { class: "quiet" }, found.sample ? "Yours appears here after the first hand." : `against ${last.opponents.join(", ")}`),
      h("a", { class: "button second", href: addressOf("sessions", { id: last.id }) }, "Review it"),
    ),
    tile(
      found.sample ? "A graph like yours" : "Your graph",
      winningsGraph(/** @type {[number, number, number, number][]} */ (/** @type {unknown} */ (found.graph)), found.held, 130),
      h("a", { href: "/sessions" }, found.sample ? "See the sample" : `${found.sessions} session${found.sessions === 1 ? "" : "s"}`),
    ),
  );
}

/** @param {Api.Example} example */
function spotTile(example) {
  return h(
    "a",
    { class: "card spot-tile", href: example.address },
    smallMatrix(example),
    h("span", {}, h("strong", {}, example.name), h("small", {}, example.words)),
  );
}

/** Draw 169 hands as one picture. @param {Api.Example} example */
function smallMatrix(example) {
  const rects = example.cells.flatMap((shares, place) => {
    let x = place % 13;
    const y = Math.floor(place / 13);
    if (!shares.length) return [s("rect", { x, y, width: 0.92, height: 0.92, fill: "#2a3635" })];
    return shares.map((share, action) => {
      const bar = share > 0.004 ? s("rect", { x: x.toFixed(3), y, width: (0.92 * share).toFixed(3), height: 0.92, fill: example.colours[action] }) : null;
      x += 0.92 * share;
      return bar;
    });
  });
  return s("svg", { viewBox: "0 0 13 13", class: "small-matrix", role: "img", "aria-label": `Matrix: ${example.name}` }, rects);
}
