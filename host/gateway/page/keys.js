// Keys. A view adds its own; these work everywhere. While the user types only Escape works. They leave the browser's own keys alone,
// except that a key which is held presses a button once.

import { h } from "./dom.js";
import { words } from "./words.js";

/** Listens. `view()` is the view in sight, `go(name)` shows another. */
export function listen(view, go) {
  document.addEventListener("keydown", (event) => {
    // Every repeat of Enter is a click: the second press of a button that asks for one, or an answer to what was just unfolded.
    if (event.repeat && ["Enter", " "].includes(event.key) && event.target.closest?.("button, summary")) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && !isMove(event.key)) return;
    if (document.querySelector("dialog[open]")) return;
    const isWriting = event.target.closest?.("input, textarea, select");
    if (isWriting && event.key !== "Escape") return;
    const keys = { 1: () => go("inbox"), 2: () => go("history"), 3: () => go("figures"), 4: () => go("runs"), 5: () => go("grants"), 6: () => go("sessions"), 7: () => go("settings"), "?": help, ...view()?.keys?.() };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = keys[latin(event) ?? name] ?? keys[name];
    if (!act) return;
    // Arrows scroll what has the focus and is longer than its box.
    if (event.key.startsWith("Arrow") && event.target.closest?.("pre, .lines, summary")) return;
    event.preventDefault();
    if (isWriting) event.target.blur();
    act();
  });
}

/** The overview of all keys. */
export function help() {
  const t = words();
  const rows = t.keys.map(([keys, what]) => h("tr", {}, h("td", {}, keys.map((name) => h("kbd", {}, name))), h("td", {}, what)));
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, t.keysTitle),
    h("table", {}, h("tbody", {}, rows)),
    h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, t.close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Whether a key belongs to the keyboard's own work, such as an Enter that ends a Korean syllable. Safari says so by the code alone. */
export function isOfKeyboard({ isComposing, keyCode }) {
  return isComposing || keyCode === 229;
}

function isMove(key) {
  return ["j", "k", "ArrowDown", "ArrowUp"].includes(key);
}

/** The Latin letter on a key that types Hangul now: `ㅁ` is where `a` is. */
function latin(event) {
  const isHangul = /^[\u3130-\u318f\uac00-\ud7a3]$|^Process$/.test(event.key);
  return isHangul && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : undefined;
}
