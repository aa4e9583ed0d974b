/** The API reference, from the OpenAPI description of the server. */

import { once } from "./api.js";
import { fill, h, problem } from "./dom.js";

/** @typedef {import("./router.js").Page} Page */
/** @typedef {Record<string, any>} Schema */

/** @param {HTMLElement} main @returns {Page} */
export function open(main) {
  return {
    show() {
      fill(main, h("h1", {}, "API"), h("p", { class: "quiet" }, "…"));
      once("/openapi.json").then((api) => draw(main, api)).catch((error) => fill(main, h("h1", {}, "API"), problem(error)));
    },
    leave() {},
  };
}

/**
 * @param {HTMLElement} main
 * @param {Schema} api
 */
function draw(main, api) {
  /** @type {Map<string, HTMLElement[]>} */
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, route] of Object.entries(/** @type {Schema} */ (methods))) {
      const tag = route.tags?.[0] ?? "other";
      groups.set(tag, [...(groups.get(tag) ?? []), drawRoute(api, method, path, route)]);
    }
  }
  const sockets = h("section", { class: "card" }, h("h2", {}, "WebSockets"), h("p", {}, h("code", {}, "/api/v1/tables/{number}/play"), ": sends a TableState after every change and accepts a Move."), h("p", {}, h("code", {}, "/api/v1/solves/{number}/progress"), ": sends a SolveState after every change."), h("p", {}, h("code", {}, "/api/v1/matches/{number}/progress"), ": sends a MatchState after every change."));
  fill(
    main,
    h("h1", {}, "API"),
    h("p", {}, api.info.description, " Requests and responses are JSON. An error is ", h("code", {}, '{"error": "message"}'), ". ", h("a", { href: "/api/v1/openapi.json" }, "openapi.json")),
    h("div", { class: "stack api" }, [...groups].map(([tag, routes]) => h("section", { class: "card" }, h("h2", {}, tag), routes)), sockets),
  );
}

/**
 * @param {Schema} api
 * @param {string} method
 * @param {string} path
 * @param {Schema} route
 */
function drawRoute(api, method, path, route) {
  const body = schemaOf(api, route.requestBody?.content?.["application/json"]?.schema);
  const answer = route.responses?.["200"]?.content?.["application/json"]?.schema;
  const response = schemaOf(api, answer?.items ?? answer);
  return h(
    "details",
    {},
    h("summary", {}, h("span", { class: "method" }, method.toUpperCase()), h("code", {}, path), h("span", { class: "quiet" }, route.description ?? "")),
    body && fields(`Request: ${body.title}`, body),
    response && fields(`Response: ${answer.type === "array" ? "list of " : ""}${response.title}`, response),
    h("pre", { tabindex: 0 }, curl(method, path, body)),
  );
}

/**
 * @param {Schema} api
 * @param {Schema | undefined} schema
 * @returns {Schema | undefined}
 */
function schemaOf(api, schema) {
  const name = schema?.$ref?.split("/").pop();
  return name ? api.components.schemas[name] : schema;
}

/**
 * @param {string} title
 * @param {Schema} schema
 */
function fields(title, schema) {
  const required = schema.required ?? [];
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const fallback = !required.includes(name) && "default" in field ? `; default ${JSON.stringify(field.default)}` : "";
    return h("tr", {}, h("th", { scope: "row" }, h("code", {}, name)), h("td", {}, typeOf(field)), h("td", {}, `${field.description ?? ""}${fallback}`.replace(/^; /, "")));
  });
  if (!rows.length) return null;
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("h3", {}, title), schema.description && h("p", { class: "quiet" }, schema.description), h("table", {}, h("tbody", {}, rows)));
}

/** @param {Schema} field @returns {string} */
function typeOf(field) {
  if (field.$ref) return field.$ref.split("/").pop();
  if (field.anyOf) return field.anyOf.map(typeOf).join(" or ");
  if (field.enum) return field.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(", ");
  if (field.prefixItems) return `[${field.prefixItems.map(typeOf).join(", ")}]`;
  if (field.type === "array") return `list of ${typeOf(field.items ?? {})}`;
  if (field.type === "object") return `object of ${typeOf(field.additionalProperties ?? {})}`;
  const range = [field.minimum === undefined ? "" : `from ${field.minimum}`, field.maximum === undefined ? "" : `to ${field.maximum}`];
  return [field.type ?? "anything", ...range].filter(Boolean).join(" ");
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Schema | undefined} body
 */
function curl(method, path, body) {
  const address = `${location.origin}${path}`;
  if (method === "get") return `curl ${address}`;
  const example = body ? Object.fromEntries((body.required ?? []).map((/** @type {string} */ name) => [name, placeholder(body.properties[name])])) : undefined;
  const data = example ? ` \\\n    -d '${JSON.stringify(example)}'` : "";
  return `curl -X ${method.toUpperCase()} ${address} -H 'content-type: application/json'${data}`;
}

/** @param {Schema} field */
function placeholder(field) {
  if (field.type === "integer" || field.type === "number") return field.minimum ?? 0;
  if (field.type === "array") return [];
  return field.$ref ? {} : "…";
}
