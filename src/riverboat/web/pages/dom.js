/** Elements made from JavaScript: no HTML is ever put together from text. */

/** @typedef {globalThis.Node | string | number | null | undefined | false} Child */

/**
 * Make an element. Properties that begin with `on` are listeners; `style` takes custom properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  setAll(made, properties);
  append(made, children);
  return made;
}

/**
 * Make an element of SVG.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, properties = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(made, properties);
  append(made, children);
  return made;
}

/**
 * @param {HTMLElement | SVGElement} made
 * @param {Record<string, any>} properties
 */
function setAll(made, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [key, each] of Object.entries(value)) made.style.setProperty(key, String(each));
    } else if (name === "value" && "value" in made) made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
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
 * Put new children into an element; the focus stays on the element with the same `data-key`.
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

/** A button that is drawn anew while it is held down is pressed all the same. */
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
 * Tell people who listen to the page what happened.
 * @param {string} words
 */
export function announce(words) {
  const live = document.getElementById("live");
  if (live && words) live.textContent = words;
}

/**
 * A field with its label.
 * @param {string} label
 * @param {HTMLElement} field
 * @param {string} [hint]
 */
export function labelled(label, field, hint = "") {
  return h("label", { class: "field" }, h("span", {}, label), field, hint && h("small", {}, hint));
}

/**
 * A choice of several.
 * @param {[value: string, words: string][]} options
 * @param {string} chosen
 * @param {Record<string, any>} [properties]
 */
export function select(options, chosen, properties = {}) {
  const made = h(
    "select",
    properties,
    options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );
  made.value = chosen;
  return made;
}

/**
 * A sentence about what is wrong.
 * @param {unknown} error
 */
export function problem(error) {
  const words = error instanceof Error ? error.message : String(error);
  return h("p", { class: "problem", role: "alert" }, words);
}

/**
 * A message that goes away by itself.
 * @param {string} words
 */
export function toast(words) {
  const made = h("div", { class: "toast", role: "status" }, words);
  document.body.append(made);
  setTimeout(() => made.remove(), 3500);
}

/**
 * Whether keys that are typed now belong to a field.
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
 * Have something done once, a while after the last call.
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
