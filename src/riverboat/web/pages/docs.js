export function open(/** @type {HTMLElement} */ main) { void main; return { show() {}, leave() {} }; }
