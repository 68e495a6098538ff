// Grants in force: what passes without asking now, and the way back. The tab is there while there are any.

import { countdown, moment, now } from "./clock.js";
import { say } from "./announce.js";
import { h, mark, write } from "./dom.js";
import { surface } from "./ending.js";
import { soon } from "./soon.js";
import { View } from "./view.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

/** The list, as long as the page lives: `changed` tells of every change. */
export class Grants extends EventTarget {
  held = [];
  /** Whether the gateway cannot read the list: then none counts. */
  isSpoilt = false;
  #socket;
  #asked = 0;
  #timer = null;

  constructor(socket) {
    super();
    this.#socket = socket;
    const read = soon(() => this.read());
    socket.addEventListener("settled", read);
    socket.addEventListener("told", ({ detail: { method } }) => method.startsWith("grant.") && read());
  }

  /** Asks for it. */
  async read() {
    const asked = (this.#asked += 1);
    try {
      const { grants } = await this.#socket.call("grants.list");
      if (asked === this.#asked) this.#take(grants, false);
    } catch (error) {
      // A lost connection is told elsewhere, and the list is read again when it is back.
      if (asked === this.#asked && typeof error.code === "number") this.#take([], true);
    }
  }

  /** Takes one back. Returns whether it counts no more. */
  async revoke(grant) {
    const t = words();
    let isOver = true;
    try {
      const { recorded } = await this.#socket.call("grants.revoke", { id: grant.id });
      say(recorded ? t.inForce.revoked(what(grant)) : t.inForce.unrecorded, recorded ? "good" : "bad");
    } catch (error) {
      isOver = error.code === -32001;
      say(isOver ? t.inForce.over : t.failure[error.code] ?? t.failed(error.message ?? ""), isOver ? "" : "bad");
    }
    if (isOver) this.#take(this.held.filter(({ id }) => id !== grant.id), this.isSpoilt);
    else this.read();
    return isOver;
  }

  #take(grants, isSpoilt) {
    clearTimeout(this.#timer);
    this.held = grants.filter(({ untilMs }) => untilMs > now());
    this.isSpoilt = isSpoilt;
    const next = Math.min(...this.held.map(({ untilMs }) => untilMs));
    if (this.held.length) this.#timer = setTimeout(() => this.#take(this.held, this.isSpoilt), next - now() + 50);
    this.dispatchEvent(new Event("changed"));
  }
}

/** The view. */
export class Granted extends View {
  name = "grants";
  #grants;
  #rows = new Map();
  #title = h("h1", { tabindex: -1 }, words().inForce.title);
  #list = h("ol", { class: "in-force", "aria-label": words().inForce.title });
  #nothing = h("p", { class: "nothing" });

  constructor(grants) {
    super();
    this.#grants = grants;
    this.element = h("div", { class: "granted" }, this.#title, h("p", { class: "fine" }, words().inForce.lead), this.#list, this.#nothing);
    this.on(grants, "changed", () => this.#draw());
    this.every(1000, () => this.#tick());
    this.#draw();
    grants.read();
  }

  keys() {
    return { j: () => this.#move(1), ArrowDown: () => this.#move(1), k: () => this.#move(-1), ArrowUp: () => this.#move(-1) };
  }

  #draw() {
    const held = new Map(this.#grants.held.map((grant) => [grant.id, grant]));
    for (const [id, row] of this.#rows) if (!held.has(id)) this.#drop(id, row);
    for (const [id, grant] of held) if (!this.#rows.has(id)) this.#add(id, grant);
    const t = words().inForce;
    write(this.#nothing, this.#grants.isSpoilt ? t.spoilt : t.none);
    mark(this.#nothing, "hidden", held.size > 0);
    this.#tick();
  }

  #add(id, grant) {
    const t = words().inForce;
    const left = h("span", { class: "left" });
    const button = h("button", { type: "button", onclick: () => this.#revoke(grant, button), "aria-label": t.revokeWhat(what(grant)) }, t.revoke);
    const by = `${visibleLine(grant.by.name || grant.by.id)} · ${surface(grant.by.surface)} · ${moment(grant.createdMs)}`;
    const item = h("li", { "data-id": id },
      h("p", { class: "about" }, h("span", { class: "label" }, `${visibleLine(grant.tool)} · ${t.kind[grant.kind] ?? ""}`), h("code", { class: "what" }, what(grant))),
      h("p", { class: "where" }, words().folder, " ", h("code", {}, visibleLine(grant.folder))),
      h("p", { class: "from" }, left, " · ", t.by(by)), button);
    this.#rows.set(id, { item, left, button, grant });
    this.#list.append(item);
  }

  /** The focus goes on with the next one, and does not fall out of the list. */
  #drop(id, { item, button }) {
    const hadFocus = item.contains(document.activeElement);
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    this.#rows.delete(id);
    if (hadFocus) (next?.querySelector("button") ?? this.#title).focus();
    mark(button, "disabled", true);
  }

  async #revoke(grant, button) {
    if (button.ariaBusy === "true") return;
    mark(button, "aria-busy", "true");
    await this.#grants.revoke(grant);
    mark(button, "aria-busy", null);
  }

  #tick() {
    const t = words().inForce;
    for (const { grant, left } of this.#rows.values()) {
      const time = countdown(grant.untilMs - now());
      write(left, grant.sessionId ? t.untilSession(visibleLine(grant.sessionId).slice(0, 8), time) : t.left(time));
    }
  }

  #move(step) {
    const buttons = [...this.#list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    buttons[at < 0 ? 0 : Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
  }
}

function what(grant) {
  return visibleLine(grant.what);
}
