// Undoes what the agent did to files since the last message: first it is shown, then a second press does exactly that.

import { say } from "./announce.js";
import { h, mark } from "./dom.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

export class Undo {
  #id;
  #log;
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
    this.element.focus({ preventScroll: true });
  }

  leave() {
    mark(this.element, "hidden", true);
    this.element.replaceChildren();
  }

  async #do(button, undo) {
    if (button.disabled) return;
    mark(button, "disabled", true);
    const done = await this.#log.call("session.undo", { id: this.#id, confirm: undo });
    this.leave();
    if (done) say(words().led.undone, "good");
  }
}
