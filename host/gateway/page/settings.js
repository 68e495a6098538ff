// The settings of notices: channels and how they do, routes, quiet hours, the log, what an event would send, and the hooks of a folder.
// Everything is what the settings file has now; what the gateway has not read yet is said to be so. Secrets are written, never read.

import { say } from "./announce.js";
import { channels } from "./channels.js";
import { h, mark, write } from "./dom.js";
import { hooks } from "./hooklist.js";
import { noticeLog } from "./noticelog.js";
import { preview } from "./preview.js";
import { quiet, routes } from "./routes.js";
import { templates } from "./templates.js";
import { View } from "./view.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

export class Settings extends View {
  name = "settings";
  #socket;
  #status = null;
  #title = h("h1", { tabindex: -1 }, words().set.title);
  #line = h("p", { class: "stale", role: "status" });
  #parts;

  constructor(socket) {
    super();
    this.#socket = socket;
    const t = words().set;
    const desk = { call: (...call) => this.call(...call), change: (...change) => this.#change(...change), refresh: () => this.read() };
    this.#parts = [channels(desk), routes(desk), quiet(desk), templates(desk), noticeLog(desk), preview(desk), hooks(desk)];
    this.element = h("div", { class: "settings" }, this.#title, h("p", { class: "fine" }, t.lead), this.#line, this.#parts.map((part) => part.element));
    this.on(socket, "settled", () => this.read());
    this.read();
  }

  keys() {
    return { j: () => this.#move(1), k: () => this.#move(-1) };
  }

  /** Reads everything that is in sight. */
  async read() {
    const status = await this.#socket.call("notify.status").catch((error) => this.#failed(error));
    if (status) this.#take(status);
  }

  /** Calls a method, and says what went wrong. Returns nothing then. */
  async call(method, params) {
    return this.#socket.call(method, params).catch((error) => this.#failed(error));
  }

  /** Changes the file. What is wrong is written beside its field. Returns whether it was changed. */
  async #change(change, form, changed = words().set.changed) {
    for (const field of form?.querySelectorAll("[aria-invalid]") ?? []) mark(field, "aria-invalid", null);
    for (const wrong of form?.querySelectorAll(".wrong") ?? []) write(wrong, "");
    const t = words().set;
    try {
      this.#take(await this.#socket.call("notify.change", { version: this.#status.version, change }));
      say(changed, "good");
      return true;
    } catch (error) {
      const { field, message } = error.data ?? {};
      if (field === "version") {
        say(t.wrong.version, "bad");
        this.read();
        return false;
      }
      const control = field && form?.querySelector(`[data-field=${field}]`);
      const wrong = control?.querySelector(".wrong") ?? form?.querySelector(".wrong.whole");
      if (!message || !wrong) {
        this.#failed(error);
        return false;
      }
      write(wrong, t.wrong[field] ?? visibleLine(message));
      const input = control?.querySelector("input, select, textarea");
      if (input) {
        mark(input, "aria-invalid", "true");
        input.focus();
      }
      return false;
    }
  }

  #take(status) {
    this.#status = status;
    const t = words().set;
    const error = status.error && t.broken(visibleLine(status.error));
    write(this.#line, error || (status.stale ? t.stale : ""));
    mark(this.#line, "data-bad", Boolean(error));
    for (const part of this.#parts) part.take?.(status);
  }

  #failed(error) {
    const t = words();
    if (!this.isLeft) say(t.set.failure[error.code] ?? t.failed(visibleLine(error.message ?? "")), "bad");
    return null;
  }

  /** From heading to heading. */
  #move(step) {
    const titles = [...this.element.querySelectorAll("h1, h2")];
    const at = titles.findIndex((title) => title === document.activeElement || title.parentElement?.contains(document.activeElement) && title.tagName === "H2");
    titles[Math.max(0, Math.min(titles.length - 1, at + step))]?.focus();
  }
}
