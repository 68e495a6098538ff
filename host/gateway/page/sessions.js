// The sessions of the gateway: the list, and one of them beside it (below 60 em: above it, one at a time).

import { h, mark, write } from "./dom.js";
import { folder } from "./list.js";
import { OneSession } from "./session.js";
import { soon } from "./soon.js";
import { starting } from "./starting.js";
import { View } from "./view.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const wide = matchMedia("(min-width: 60em)");

export class Sessions extends View {
  name = "sessions";
  /** Requests are shown in a session, not in this list. */
  showsList = false;
  #log;
  #store;
  #socket;
  #one = null;
  #rows = new Map();
  #items = h("ol", { class: "rows" });
  #new;
  #empty;
  #detail = h("section", { class: "detail", "aria-label": words().led.one });

  constructor(log, store, socket) {
    super();
    [this.#log, this.#store, this.#socket] = [log, store, socket];
    const t = words().led;
    this.#new = h("button", { type: "button", class: "new", onclick: () => this.select("new", true) }, t.newOne);
    this.#empty = h("div", { class: "empty" }, h("h2", {}, t.none), h("p", {}, t.noneMore));
    this.element = h("div", { class: "inbox sessions" }, h("nav", { class: "list", "aria-label": t.list }, this.#new, this.#items, this.#empty), this.#detail);
    this.on(log, "changed", soon(() => this.isLeft || this.#draw()));
    this.on(window, "popstate", () => wide.matches || this.#close());
    this.#draw();
    const first = log.selected ?? (wide.matches ? log.sessions[0]?.id : null);
    if (first && (first === "new" || log.get(first))) this.select(first, false);
  }

  leave() {
    this.#one?.leave?.();
    super.leave();
  }

  keys() {
    return {
      j: () => this.#move(1), ArrowDown: () => this.#move(1), k: () => this.#move(-1), ArrowUp: () => this.#move(-1),
      n: () => this.#new.hidden || this.select("new", true),
      ...this.#one?.keys?.(),
      Escape: () => this.#one?.escape?.() || (wide.matches ? this.#focusRow() : this.#back()),
    };
  }

  /** Shows a session, or the form that starts one. */
  select(id, focus) {
    const wasOpen = this.#one !== null;
    this.#one?.leave?.();
    this.#log.selected = id;
    const back = () => this.#back();
    this.#one = id === "new" ? starting(this.#log.folders, (wanted) => this.#start(wanted), back) : new OneSession(id, this.#log, this.#store, this.#socket, { back, open: (id) => this.#open(id) });
    this.#detail.replaceChildren(this.#one.element);
    if (!wide.matches && !wasOpen) history.pushState({ detail: true }, "");
    // Before that, it may be hidden.
    this.#draw();
    if (focus && id === "new") this.#one.focus();
    else if (focus) this.#one.title.focus({ preventScroll: true });
  }

  async #start(wanted) {
    const started = await this.#log.call("session.start", wanted);
    if (started) await this.#open(started.session.id);
  }

  async #open(id) {
    await this.#log.read(id);
    this.select(id, true);
  }

  #back() {
    if (!wide.matches && history.state?.detail) history.back();
    else this.#close();
  }

  #close() {
    this.#focusRow();
    this.#one?.leave?.();
    [this.#one, this.#log.selected] = [null, null];
    this.#detail.replaceChildren();
    this.#draw();
  }

  #focusRow() {
    const row = this.#rows.get(this.#log.selected)?.button ?? (this.#new.hidden ? null : this.#new);
    setTimeout(() => row?.focus({ preventScroll: true }));
  }

  #move(step) {
    const ids = this.#log.sessions.map(({ id }) => id);
    const at = ids.indexOf(this.#log.selected);
    const to = at < 0 ? ids[0] : ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    if (!to) return;
    if (wide.matches) this.select(to, false);
    this.#rows.get(to).button.focus({ preventScroll: true });
  }

  #draw() {
    const { sessions, folders, selected } = this.#log;
    const t = words().led;
    mark(this.element, "data-open", this.#one !== null);
    mark(this.element, "data-empty", sessions.length === 0 && this.#one === null);
    mark(this.#new, "hidden", folders.length === 0);
    mark(this.#empty, "hidden", sessions.length > 0);
    const known = new Set(sessions.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (known.has(id)) continue;
      row.item.remove();
      this.#rows.delete(id);
    }
    sessions.forEach((session, at) => {
      const row = this.#rows.get(session.id) ?? this.#row(session.id);
      mark(row.button, "data-state", session.state);
      mark(row.button, "aria-current", session.id === selected && "true");
      write(row.title, visibleLine(session.name || session.title) || t.untitled);
      write(row.state, t.state[session.state] ?? session.state);
      write(row.where, `${folder(session.cwd)} · ${t.mode[session.mode] ?? visibleLine(session.mode)}${session.costUsd ? ` · $${session.costUsd.toFixed(2)}` : ""}`);
      if (this.#items.children[at] !== row.item) this.#items.insertBefore(row.item, this.#items.children[at] ?? null);
    });
  }

  #row(id) {
    const row = { title: h("span", { class: "tool" }), state: h("span", { class: "left" }), where: h("span", { class: "where" }) };
    row.button = h("button", { type: "button", "data-id": id, onclick: () => this.select(id, true) }, row.title, row.state, row.where);
    row.item = h("li", {}, row.button);
    this.#rows.set(id, row);
    return row;
  }
}
