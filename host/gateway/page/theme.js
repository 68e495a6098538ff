// The colours: as the system has them, or as the person chose on this device.

import { keep, recall } from "./kept.js";

const KEPT = "dmplz.theme";
const ALL = ["auto", "light", "dark"];

let current = kept();
show();

/** `auto`, `light` or `dark`. */
export function theme() {
  return current;
}

/** The next of them. */
export function nextTheme() {
  current = ALL[(ALL.indexOf(current) + 1) % ALL.length];
  keep(KEPT, current);
  show();
}

function show() {
  if (current === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current;
}

function kept() {
  const found = recall(KEPT);
  return ALL.includes(found) ? found : "auto";
}
