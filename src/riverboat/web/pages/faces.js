/** Faces of the opponents, drawn from a few strokes. */

import { s } from "./dom.js";

/** Colour of the head, brows, eyes, mouth. @type {Record<string, [string, string, string, string]>} */
const FACES = {
  station: ["#e8b86d", "M11 15h5M24 15h5", "M13.5 19v1M26.5 19v1", "M13 26q7 6 14 0"],
  rock: ["#9aa7b4", "M10 15l6 2M30 15l-6 2", "M12 19.5h4M24 19.5h4", "M14 27h12"],
  maniac: ["#e5806b", "M10 17l6-4M30 17l-6-4", "M13.5 18v3M26.5 18v3", "M12 24q8 9 16 0z"],
  regular: ["#86b38b", "M11 15.5h5M24 15.5h5", "M10 19h7v3h-7zM23 19h7v3h-7zM17 20h6", "M15 27q5 2 10 0"],
  solver: ["#7fa8d8", "M11 15l5 1M29 15l-5 1", "M13.5 19v2M26.5 19v2", "M14 26h12M17 24v4M20 24v4M23 24v4"],
  bot: ["#b9b2a6", "M11 15h5M24 15h5", "M13.5 19v2M26.5 19v2", "M14 27h12"],
};

/** @param {string} name */
export function face(name) {
  const [colour, brows, eyes, mouth] = FACES[name] ?? FACES.bot;
  return s(
    "svg",
    { class: "face", viewBox: "0 0 40 40", "aria-hidden": "true" },
    s("circle", { cx: 20, cy: 20, r: 18, fill: colour }),
    s("path", { d: `${brows}${eyes}${mouth}`, fill: "none", stroke: "#20262b", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );
}
