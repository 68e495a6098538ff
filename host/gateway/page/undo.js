// Undoes what the agent did to files since the last message: first it is shown, then a second press does exactly that. What was shown goes
// away if nothing is pressed.

import { say } from "./announce.js";
import { h, mark } from "./dom.js";
import { Armed, READ_MS } from "./twice.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

export class Undo {
  #id;
  #log;
  #shown = new Armed(() => this.#hide());
  /** What had the focus before. */
  #before = null;
  element = h("section", { class: "undo", hidden: true, tabindex: -1, "aria-label": words().led.undo });

  constructor(id, log) {
    [this.#id, this.#log] = [id, log];
  }

  /** Shows what undoing would change, with the button that does it. */
  async look() {
    const t = words().led;
    const seen = await this.#log.call("session.undo", { id: this.#id });
    if (!seen) return this.leave();
    const { undo, text } = seen;
    if (undo.files.length === 0) {
      this.leave();
      return say(t.nothingToUndo);
    }
    const files = undo.files.map((file) => h("li", {}, h("code", {}, visibleLine(file))));
    this.element.replaceChildren(
      h("p", {}, text ? t.undoSince(visibleLine(text)) : t.undoThese), h("ul", { class: "rules-of" }, files), h("p", { class: "fine" }, t.undoLines(undo.insertions, undo.deletions)),
      h("p", { class: "row" },
        h("button", { type: "button", class: "deny", onclick: ({ currentTarget }) => this.#do(currentTarget, undo) }, t.undoNow),
        h("button", { type: "button", onclick: () => this.leave() }, t.leaveIt)));
    mark(this.element, "hidden", null);
    if (!this.element.contains(document.activeElement)) this.#before = document.activeElement;
    this.#shown.arm(undo, READ_MS);
    this.element.focus({ preventScroll: true });
  }

  leave() {
    this.#shown.forget();
  }

  #hide() {
    const hadFocus = this.element.contains(document.activeElement);
    mark(this.element, "hidden", true);
    this.element.replaceChildren();
    if (hadFocus) this.#before?.focus({ preventScroll: true });
  }

  async #do(button, undo) {
    if (button.disabled) return;
    mark(button, "disabled", true);
    const done = await this.#log.call("session.undo", { id: this.#id, confirm: undo });
    this.leave();
    if (done) say(words().led.undone, "good");
  }
}
