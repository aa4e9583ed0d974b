/** Requests to the server, and sockets that reconnect. */

const BASE = "/api/v1";

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
  const response = await fetch(BASE + path, {
    method,
    headers: { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Error(answer.error ?? `the server answered with status ${response.status}`);
  return answer;
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => ask("GET", path);
/** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export const post = (path, body = {}) => ask("POST", path, body);
/** @param {string} path @returns {Promise<any>} */
export const remove = (path) => ask("DELETE", path);

/** @type {Map<string, Promise<any>>} */
const cache = new Map();

/**
 * Request something that does not change while the page is open, and cache the answer.
 * @param {string} path
 * @returns {Promise<any>}
 */
export function once(path) {
  let answer = cache.get(path);
  if (!answer) {
    answer = get(path);
    cache.set(path, answer);
    answer.catch(() => cache.delete(path));
  }
  return answer;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const REFUSED = 1008;

/** A socket that reconnects when the connection is lost. */
export class Line {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = FIRST_WAIT;
  #ended = false;
  #timer = 0;

  /**
   * @param {string} path
   * @param {{message: (value: any) => void, state: (open: boolean) => void, refused: (why: string) => void}} listener
   */
  constructor(path, listener) {
    this.path = path;
    this.listener = listener;
    this.#open();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${BASE}${this.path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      this.listener.state(true);
    };
    socket.onmessage = (event) => this.listener.message(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.#ended) return;
      if (event.code === REFUSED) {
        this.close();
        this.listener.refused(event.reason);
        return;
      }
      this.listener.state(false);
      this.#timer = window.setTimeout(() => this.#open(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    };
  }

  /**
   * Send a value; return false if there is no connection.
   * @param {unknown} value
   */
  send(value) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(value));
    return true;
  }

  close() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}
