/** Export a decision as CSV, JSON or PNG. */

import { NUM_HOLES, holeText } from "./cards.js";
import { actionValueOf, equityOf, frequency, isPossible, valueOf, CLASSES } from "./hands.js";

/** @typedef {import("./matrix.js").Cell} Cell */

/** @param {Api.Node} node */
export function csvOf(node) {
  const values = node.values.length > 0;
  const head = ["hand", "reach", ...node.actions.map((item) => item.action), "equity"];
  if (values) head.push("ev", ...node.actions.map((item) => `ev ${item.action}`));
  const rows = [head.join(",")];
  for (let hole = 0; hole < NUM_HOLES; hole++) {
    if (!isPossible(node, hole)) continue;
    const row = [holeText(hole), (node.reach[node.player]?.[hole] ?? 0) / 1000];
    row.push(...node.actions.map((_, action) => frequency(node, action, hole) ?? ""), equityOf(node, node.player, hole) ?? "");
    if (values) row.push(valueOf(node, hole) ?? "", ...node.actions.map((_, action) => actionValueOf(node, action, hole) ?? ""));
    rows.push(row.join(","));
  }
  return `${rows.join("\n")}\n`;
}

/**
 * Make the browser save a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** @param {Api.Node} node */
export function fileName(node) {
  return ["riverboat", node.board, node.line.replaceAll("/", "-") || "start"].filter(Boolean).join("-");
}

const [SIDE, EDGE] = [64, 20];

/**
 * Draw a matrix as a PNG image.
 * @param {Api.Node} node
 * @param {Cell[]} cells
 * @returns {Promise<Blob | null>}
 */
export function pngOf(node, cells) {
  const canvas = document.createElement("canvas");
  canvas.width = 13 * SIDE + 2 * EDGE;
  canvas.height = canvas.width + 70;
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  cells.forEach((cell, place) => drawCell(context, cell, place));
  drawKey(context, node, canvas.width);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Cell} cell
 * @param {number} place
 */
function drawCell(context, cell, place) {
  const [x, y] = [EDGE + SIDE * (place % 13), EDGE + SIDE * Math.floor(place / 13)];
  context.fillStyle = "#1d2928";
  context.fillRect(x, y, SIDE - 2, SIDE - 2);
  context.globalAlpha = cell.dim > 0 ? 0.2 + 0.8 * cell.dim : 0;
  let from = 0;
  for (const { colour, share } of cell.segments) {
    context.fillStyle = colour;
    context.fillRect(x + from * (SIDE - 2), y, share * (SIDE - 2), SIDE - 2);
    from += share;
  }
  context.globalAlpha = 1;
  context.font = "600 18px system-ui, sans-serif";
  context.strokeStyle = "#000a";
  context.lineWidth = 3;
  context.strokeText(CLASSES[place], x + 6, y + 22);
  context.fillStyle = "#ffffff";
  context.fillText(CLASSES[place], x + 6, y + 22);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Api.Node} node
 * @param {number} width
 */
function drawKey(context, node, width) {
  const y = 13 * SIDE + 2 * EDGE + 14;
  context.font = "16px system-ui, sans-serif";
  context.fillStyle = "#222222";
  context.fillText(`${node.strategy}  ${node.line || "start"}  ${node.board}  ${node.players[node.player]}`, EDGE, y);
  let x = EDGE;
  for (const action of node.actions) {
    const words = `${action.words}${action.frequency === null ? "" : ` ${(100 * action.frequency).toFixed(1)} %`}`;
    if (x + context.measureText(words).width + 30 > width) break;
    context.fillStyle = action.colour;
    context.fillRect(x, y + 16, 16, 16);
    context.fillStyle = "#222222";
    context.fillText(words, x + 22, y + 30);
    x += context.measureText(words).width + 44;
  }
}
