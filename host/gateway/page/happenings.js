// What a session did, line by line. All of it is text of strangers: it becomes text nodes and nothing else.
//
// | happening | drawn as |
// |---|---|
// | the agent says something | formatted text |
// | the agent is writing | the text so far, as the last line, until the whole text takes its place |
// | a call of a tool | one line, which opens: what it was given, and what came of it |
// | anything else | one line |

import { h, mark, write } from "./dom.js";
import { parts } from "./parts.js";
import { formatted } from "./plan.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The number of lines that are kept. */
const MAX_ROWS = 1_000;
const CALL = { running: "…", returned: "✓", failed: "✕" };

export class Happenings {
  #rows = h("ol", { class: "told" });
  #calls = new Map();
  #last = 0;
  #growing = null;

  constructor() {
    this.element = h("div", { role: "log", "aria-label": words().led.log }, this.#rows);
  }

  /** Draws one, once. */
  add({ number, event }) {
    if (number <= this.#last) return;
    this.#last = number;
    if (event.kind === "text" && !event.subagent) this.#isWritten();
    if (event.kind === "tool_returned" || event.kind === "tool_failed") {
      const call = this.#calls.get(event.call);
      if (call) return call.ended(event);
      if (event.kind === "tool_returned") return;
    }
    const row = this.#draw(event);
    if (!row) return;
    this.#rows.insertBefore(row, this.#growing?.row ?? null);
    if (this.#rows.children.length <= MAX_ROWS) return;
    this.#calls.delete(this.#rows.firstElementChild.dataset.call);
    this.#rows.firstElementChild.remove();
  }

  /** Draws more of the text that the agent is writing. A part whose beginning was not heard is left out. */
  writes({ from, text }) {
    if (from === 0) this.#isWritten();
    if (!text || from !== (this.#growing?.text.length ?? 0)) return;
    if (!this.#growing) {
      const prose = h("div", { class: "prose" });
      // Who listens hears the whole text once.
      const row = h("li", { class: "text growing", "aria-live": "off" }, h("div", { class: "part plan" }, prose));
      this.#growing = { row, prose, text: "" };
      this.#rows.append(row);
    }
    this.#growing.text += text;
    this.#growing.prose.replaceChildren(...formatted(visible(this.#growing.text)));
  }

  #isWritten() {
    this.#growing?.row.remove();
    this.#growing = null;
  }

  #draw(event) {
    const t = words().led;
    const line = (kind, ...said) => h("li", { class: kind }, said);
    switch (event.kind) {
      case "message": return line("said", h("span", { class: "label" }, t.you), h("p", { class: "prose" }, visible(event.text)));
      case "text": return line(event.subagent ? "text sub" : "text", h("div", { class: "part plan" }, h("div", { class: "prose" }, formatted(visible(event.text)))));
      case "tool": return this.#call(event);
      case "tool_failed": return line("trouble", visibleLine(event.line));
      case "turn": return event.ok ? line("turn", t.turnDone) : line("trouble", t.turnFailed(visibleLine(event.text)));
      case "notice": return line("notice", visibleLine(event.text));
      case "undone": return line("notice", t.undone(event.files, event.insertions, event.deletions));
      case "resumed": return line("turn", t.resumed);
      case "ended": return event.code === 0 ? line("turn", t.over) : line("trouble", t.overBadly(visibleLine(event.text)));
      default: return null;
    }
  }

  #call(event) {
    const t = words().led;
    const sign = h("span", { class: "sign", "aria-hidden": "true" });
    const state = h("span", { class: "unseen" });
    const why = h("span", { class: "why" });
    const body = h("div", { class: "call" });
    const details = h("details", {}, h("summary", {}, sign, state, h("span", { class: "tool" }, visibleLine(event.tool)), " ", h("code", { class: "what" }, visibleLine(event.line)), why), body);
    let outcome = null;
    const draw = () => {
      body.replaceChildren(parts({ shown: event.shown, status: "ended" }).element);
      if (event.cut) body.append(h("p", { class: "fine" }, t.cut));
      const text = outcome?.kind === "tool_returned" ? outcome.text : outcome?.line;
      if (text) body.append(h("h3", { class: "label" }, t.came), h("pre", { tabindex: 0 }, h("code", {}, visible(text))));
    };
    const show = (kind) => {
      mark(details, "data-state", kind);
      write(sign, CALL[kind]);
      write(state, `${t.call[kind]} `);
    };
    details.addEventListener("toggle", () => details.open && draw());
    show("running");
    this.#calls.set(event.call, {
      ended: (event) => {
        outcome = event;
        show(event.kind === "tool_failed" ? "failed" : "returned");
        if (event.kind === "tool_failed") write(why, visibleLine(event.line));
        if (details.open) draw();
      },
    });
    return h("li", { class: event.subagent ? "sub" : null, "data-call": event.call }, details);
  }
}
