/** Pages by address: what a page shows is what its address says. */

/**
 * @typedef {object} Page
 * @property {(query: URLSearchParams) => void} show  draw what the address says
 * @property {() => void} leave  end sockets, timers and listeners
 * @property {(event: KeyboardEvent) => boolean} [key]  whether a key was used
 * @property {[keys: string, meaning: string][]} [keys]
 */

/** @type {Record<string, () => Promise<{open: (main: HTMLElement) => Page}>>} */
const PAGES = {
  play: () => import("./play.js"),
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
 * Go to an address of ours.
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
  const given = Object.entries(query).filter(([, value]) => value);
  const text = given
    .map(([key, value]) => `${key}=${encodeURIComponent(value ?? "").replaceAll("%2F", "/")}`)
    .join("&");
  return `/${name}${text ? `?${text}` : ""}`;
}

/** Write into the address what the page shows already. */
export function note(/** @type {Record<string, string | null | undefined>} */ query) {
  history.replaceState(null, "", addressOf(current.name, query));
}

async function show() {
  const name = location.pathname.slice(1) || "play";
  const main = document.getElementById("main");
  if (!main) return;
  if (name !== current.name) {
    current.page?.leave();
    current.page = null;
    current.name = name;
    main.className = `page-${name}`;
    const made = await (PAGES[name] ?? PAGES.play)();
    if (current.name !== name) return;
    // A place of its own: what a page that was left still waits for is drawn nowhere.
    const place = document.createElement("div");
    main.replaceChildren(place);
    current.page = made.open(place);
    mark(name);
  }
  current.page?.show(new URLSearchParams(location.search));
}

/** @param {string} name */
function mark(name) {
  document.title = `Riverboat: ${name}`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `/${name}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "center" }); // on a phone the pages are one row
    } else link.removeAttribute("aria-current");
  }
}

/** Draw again what is shown, after a change of settings. */
export function redraw() {
  void show();
}

/** Begin: show the address, and follow links and the browser's own buttons. */
export function start() {
  const query = new URLSearchParams(location.search);
  if (query.has("token")) {
    query.delete("token"); // the cookie has it now: addresses are passed on
    history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : ""));
  }
  addEventListener("popstate", () => void show());
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || !(url.pathname.slice(1) in PAGES) || url.hash) return;
    event.preventDefault();
    history.pushState(null, "", url);
    void show();
  });
  void show();
}
