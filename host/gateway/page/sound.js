// A short tone when a request arrives, if it is wanted on this device. Nothing is loaded for it.

import { keep, recall } from "./kept.js";

const KEPT = "dmplz.sound";
const NOTES = [660, 880];
const NOTE_S = 0.12;

let on = recall(KEPT) === "on";
let audio = null;
/** When the last tone ends, on the clock of `audio`. */
let silentAt = 0;

export function isOn() {
  return on;
}

/** Turns it on, so that it is heard once, or off. */
export function turn(wanted) {
  on = wanted;
  keep(KEPT, on ? "on" : "off");
  if (ready()) sound();
}

/** Plays it if it is on and does not sound already: many at once would be loud. A browser lets a page be heard once it was pressed anywhere. */
export function play() {
  if (!ready() || audio.currentTime < silentAt) return;
  silentAt = audio.currentTime + NOTES.length * NOTE_S;
  sound();
}

/** Whether it is wanted here and possible. */
function ready() {
  if (!on || !("AudioContext" in window)) return false;
  audio ??= new AudioContext();
  audio.resume().catch(() => null);
  return true;
}

function sound() {
  NOTES.forEach((pitch, at) => note(pitch, audio.currentTime + at * NOTE_S));
}

function note(pitch, from) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.2, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_S);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + NOTE_S);
}
