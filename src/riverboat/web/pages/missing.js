/** The page of an address that does not exist. */

import { fill, h } from "./dom.js";

/** @param {HTMLElement} main @returns {import("./router.js").Page} */
export function open(main) {
  return {
    show: () => fill(main, h("h1", {}, "There is no such page"), h("p", {}, `The address ${location.pathname.slice(0, 60)} leads nowhere.`), h("a", { class: "button", href: "/" }, "Home")),
    leave: () => {},
  };
}
