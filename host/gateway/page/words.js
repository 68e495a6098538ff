// The language of the page: what the person chose here, else the gateway's, else the browser's.

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
  try {
    localStorage.setItem(KEPT, current);
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
  document.documentElement.lang = current;
}

function kept() {
  try {
    const found = localStorage.getItem(KEPT);
    return found in ALL ? found : null;
  } catch {
    return null;
  }
}
