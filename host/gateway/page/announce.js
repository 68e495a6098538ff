// What the page says without being asked: to the eye as a toast, to screen readers through live regions.

import { h } from "./dom.js";

const TOAST_MS = 5_000;

/** Says something; `tone` is `good`, `bad` or nothing. What is bad interrupts. `isSeen`: it can be seen anyway. */
export function say(text, tone = "", isSeen = false) {
  const region = document.getElementById(tone === "bad" ? "alarm" : "said");
  region.textContent = "";
  // An empty moment between two equal texts, or the second one is not read.
  requestAnimationFrame(() => (region.textContent = text));
  if (isSeen) return;
  const toast = h("p", { class: `toast ${tone}` }, text);
  const toasts = document.getElementById("toasts");
  toasts.append(toast);
  while (toasts.children.length > 3) toasts.firstChild.remove();
  setTimeout(() => toast.remove(), TOAST_MS);
}

/** The number of waiting requests, where tabs show it. */
export function badge(count) {
  document.title = count ? `(${count}) dmplz` : "dmplz";
}

/** Tells of a new request while nobody looks, if that was permitted and no push does. What is asked stays in the page. `open()`: it was tapped. */
export function notify(title, body, tag, open) {
  if (!("Notification" in window) || Notification.permission !== "granted" || !document.hidden) return;
  try {
    const notification = new Notification(title, { body, tag });
    notification.onclick = () => {
      window.focus();
      open();
      notification.close();
    };
  } catch {
    // Some phones only let service workers notify, which web push does.
  }
}
