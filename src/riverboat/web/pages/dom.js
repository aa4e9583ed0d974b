/** Elements built from JavaScript. No HTML is built from text, so that a name cannot inject any. */

/** @typedef {globalThis.Node | string | number | null | undefined | false} Child */

/**
 * Create an element. Properties that begin with `on` are listeners; `style` takes custom properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  setAll(element, properties);
  append(element, children);
  return element;
}

/**
 * Create an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(element, properties);
  append(element, children);
  return element;
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, any>} properties
 */
function setAll(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, String(text));
    } else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Element} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(child instanceof globalThis.Node ? child : String(child));
    }
  }
}

/**
 * Replace the children of an element; the focus stays on the element with the same `data-key`.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  const active = document.activeElement;
  const key = active && parent.contains(active) ? active.getAttribute("data-key") : null;
  parent.replaceChildren();
  append(parent, children);
  if (key !== null) {
    const again = parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}

/** @param {EventTarget | null} target */
const keyed = (target) => (target instanceof Element ? target.closest("[data-key]") : null);

/** Make sure that a button which is redrawn while the pointer is down still gets its click. */
export function keepPresses() {
  /** @type {Element | null} */
  let held = null;
  addEventListener("pointerdown", (event) => (held = keyed(event.target)), true);
  addEventListener(
    "pointerup",
    (event) => {
      const now = keyed(event.target);
      const same = held?.getAttribute("data-key") === now?.getAttribute("data-key") && held?.textContent === now?.textContent;
      if (same && !held?.isConnected && now instanceof HTMLElement) now.click();
      held = null;
    },
    true,
  );
}

/**
 * Announce an event to screen readers.
 * @param {string} words
 */
export function announce(words) {
  const live = document.getElementById("live");
  if (live && words) live.textContent = words;
}

/**
 * Return a field with its label.
 * @param {string} label
 * @param {HTMLElement} field
 * @param {string} [hint]
 */
export function labelled(label, field, hint = "") {
  return h("label", { class: "field" }, h("span", {}, label), field, hint && h("small", {}, hint));
}

/**
 * Return a drop-down list.
 * @param {[value: string, words: string][]} options
 * @param {string} chosen
 * @param {Record<string, any>} [properties]
 */
export function select(options, chosen, properties = {}) {
  const list = h(
    "select",
    properties,
    options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );
  list.value = chosen;
  return list;
}

/**
 * Return an error message.
 * @param {unknown} error
 */
export function problem(error) {
  const words = error instanceof Error ? error.message : String(error);
  return h("p", { class: "problem", role: "alert" }, words);
}

/**
 * Show a message for a few seconds.
 * @param {string} words
 */
export function toast(words) {
  const message = h("div", { class: "toast", role: "status" }, words);
  document.body.append(message);
  setTimeout(() => message.remove(), 3500);
}

/**
 * Return whether a key press belongs to a field or dialog, and not to the shortcuts of the page.
 * @param {KeyboardEvent} event
 */
export function isTyping(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("dialog[open]")) return true;
  if (target instanceof HTMLInputElement) return !["range", "checkbox", "radio"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/**
 * Return a function that runs `work` once, `milliseconds` after its last call.
 * @param {() => void} work
 * @param {number} milliseconds
 */
export function debounced(work, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, milliseconds);
  };
}
