/** Motion and sound at the table: short, of transform and opacity only, and optional. */

import { settings } from "./settings.js";

const MOVE = 200; // milliseconds of a card or chip at normal speed
const BEAT = 420; // before an opponent acts

/** Speed of motion: 0 shows everything at once. */
export function speed() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : Number(settings.speed);
}

/** @param {number} milliseconds at normal speed */
function pause(milliseconds) {
  const factor = speed();
  return factor ? new Promise((done) => setTimeout(done, milliseconds / factor)) : Promise.resolve();
}

/** Wait until a card or chip has moved. */
export const moved = () => pause(MOVE);
/** Wait as a player who thinks. */
export const thought = () => pause(BEAT);

/**
 * Move an element from another place to its own.
 * @param {Element | null | undefined} element
 * @param {Element | null | undefined} from
 * @param {{delay?: number, opacity?: number}} [how]
 */
export function moveFrom(element, from, { delay = 0, opacity = 0 } = {}) {
  const factor = speed();
  if (!factor || !element || !from) return;
  const [here, there] = [element.getBoundingClientRect(), from.getBoundingClientRect()];
  const x = there.left + there.width / 2 - here.left - here.width / 2;
  const y = there.top + there.height / 2 - here.top - here.height / 2;
  element.animate(
    [{ translate: `${x}px ${y}px`, opacity }, { translate: "0 0", opacity: 1 }],
    { duration: MOVE / factor, delay: (delay * MOVE) / factor / 2, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" },
  );
}

/** Let an element appear. @param {Element | null | undefined} element */
export function appear(element) {
  const factor = speed();
  if (factor) element?.animate([{ opacity: 0, scale: 0.94 }, { opacity: 1, scale: 1 }], { duration: MOVE / factor, easing: "ease-out" });
}

/** @type {AudioContext | null} */
let audio = null;
/** @type {Record<string, [number, number]>} frequency in Hz, seconds */
const SOUNDS = { card: [1900, 0.03], chips: [620, 0.07], check: [210, 0.05], win: [880, 0.22], turn: [520, 0.1] };

/** Play a short sound if sound is on. @param {string} name */
export function sound(name) {
  if (settings.sound !== "on") return;
  audio ??= new AudioContext();
  const [pitch, seconds] = SOUNDS[name];
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, now);
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + seconds);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + seconds);
}
