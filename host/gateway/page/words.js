// The language of the page: what the person chose here, else the gateway's, else the browser's.

import { keep, recall } from "./kept.js";
import { ko } from "./words/ko.js";
import { en } from "./words/en.js";

const ALL = { ko, en };
const KEPT = "dmplz.lang";

let current = kept() ?? (navigator.language?.startsWith("ko") ? "ko" : "en");

/** The words. */
export function words() {
  return ALL[current];
}

/** `ko` or `en`. */
export function lang() {
  return current;
}

/** Takes the gateway's language unless the person chose one. */
export function suggest(wanted) {
  if (!kept() && ALL[wanted]) current = wanted;
  document.documentElement.lang = current;
}

/** The person chose the other language. */
export function toggle() {
  current = current === "ko" ? "en" : "ko";
  keep(KEPT, current);
  document.documentElement.lang = current;
}

function kept() {
  const found = recall(KEPT);
  return found in ALL ? found : null;
}
