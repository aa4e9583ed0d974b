/** Router: the address of a page determines what it shows. */

/**
 * @typedef {object} Page
 * @property {(query: URLSearchParams) => void} show  draw what the address names
 * @property {() => void} leave  end sockets, timers and listeners
 * @property {(event: KeyboardEvent) => boolean} [key]  return whether the page used the key
 * @property {[keys: string, meaning: string][]} [keys]
 */

/** @type {Record<string, () => Promise<{open: (main: HTMLElement) => Page}>>} */
const PAGES = {
  home: () => import("./home.js"),
  play: () => import("./play.js"),
  sessions: () => import("./sessions.js"),
  study: () => import("./study.js"),
  solve: () => import("./solve.js"),
  matches: () => import("./matches.js"),
  review: () => import("./review.js"),
  trainer: () => import("./trainer.js"),
  charts: () => import("./charts.js"),
  watch: () => import("./watch.js"),
  docs: () => import("./docs.js"),
};

/** @type {{name: string, page: Page | null}} */
const current = { name: "", page: null };

/** The page that is open. */
export const page = () => current.page;

/**
 * Go to a page of this site.
 * @param {string} name
 * @param {Record<string, string | null | undefined>} [query]
 * @param {{replace?: boolean}} [how]
 */
export function go(name, query = {}, how = {}) {
  const address = addressOf(name, query);
  if (how.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  void show();
}

/**
 * @param {string} name
 * @param {Record<string, string | null | undefined>} query
 */
export function addressOf(name, query) {
  if (name === "home") return "/";
  const given = Object.entries(query).filter(([, value]) => value);
  const text = given
    .map(([key, value]) => `${key}=${encodeURIComponent(value ?? "").replaceAll("%2F", "/")}`)
    .join("&");
  return `/${name}${text ? `?${text}` : ""}`;
}

/** Update the address to what the page already shows. */
export function note(/** @type {Record<string, string | null | undefined>} */ query) {
  history.replaceState(null, "", addressOf(current.name, query));
}

async function show() {
  const name = location.pathname.slice(1) || "home";
  const main = document.getElementById("main");
  if (!main) return;
  if (name !== current.name) {
    current.page?.leave();
    current.page = null;
    current.name = name;
    main.className = `page-${name}`;
    const module = await (PAGES[name] ?? (() => import("./missing.js")))();
    if (current.name !== name) return;
    // Each page gets its own element, so that a late answer to a page that was left draws nothing here.
    const place = document.createElement("div");
    main.replaceChildren(place);
    current.page = module.open(place);
    mark(name);
  }
  current.page?.show(new URLSearchParams(location.search));
}

/** @param {string} name */
function mark(name) {
  document.title = name === "home" ? "Riverboat" : `Riverboat: ${name}`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === addressOf(name, {})) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "center" }); // on a phone the links scroll in one row
    } else link.removeAttribute("aria-current");
  }
}

/** Redraw the page after a change of settings. */
export function redraw() {
  void show();
}

/** Start: show the page of the address, and handle links and the browser's back button. */
export function start() {
  const query = new URLSearchParams(location.search);
  if (query.has("token")) {
    query.delete("token"); // the cookie has it now, and people share addresses
    history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : ""));
  }
  addEventListener("popstate", () => void show());
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || !((url.pathname.slice(1) || "home") in PAGES) || url.hash) return;
    event.preventDefault();
    history.pushState(null, "", url);
    void show();
  });
  void show();
}
