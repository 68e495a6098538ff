// What waits: the list, and the selected request beside it (below 60 em: above it, one at a time).

import { Card } from "./card.js";
import { h, mark } from "./dom.js";
import { List } from "./list.js";
import { respond } from "./respond.js";
import { Several } from "./several.js";
import { soon } from "./soon.js";
import { View } from "./view.js";
import { words } from "./words.js";

const wide = matchMedia("(min-width: 60em)");

export class Inbox extends View {
  name = "inbox";
  #store;
  #socket;
  #card = null;
  #selected = null;
  #several;
  #list;
  #redraw = soon(() => this.isLeft || this.#draw());
  #detail = h("section", { class: "detail", "aria-label": words().request });

  constructor(store, socket) {
    super();
    this.#store = store;
    this.#socket = socket;
    this.#several = new Several(store, socket);
    this.#list = new List((id, isPointed) => this.select(id, { focus: true, settles: isPointed }), this.#several, (session) => store.nameOf(session));
    this.element = h("div", { class: "inbox" }, this.#list.element, this.#detail);
    this.on(store, "approval", (event) => this.#changed(event.detail));
    this.on(store, "left", (event) => this.#left(event.detail.id));
    this.on(store, "named", this.#redraw);
    this.on(store, "read", this.#redraw);
    this.on(this.#several, "turned", () => this.#draw());
    this.on(window, "popstate", () => wide.matches || this.#close());
    this.every(1000, () => this.#tick());
    this.#draw();
    const waiting = store.waiting();
    const first = waiting.find(({ id }) => id === store.selected) ?? waiting[0];
    if (wide.matches && first) this.select(first.id, { settles: true });
  }

  /** Whether the list can be seen. */
  get showsList() {
    return wide.matches || this.#selected === null;
  }

  keys() {
    const answering = this.#card?.answering;
    return {
      j: () => this.#move(1), ArrowDown: () => this.#move(1), k: () => this.#move(-1), ArrowUp: () => this.#move(-1),
      ...answering?.keys(),
      Escape: () => answering?.escape() || (wide.matches ? this.#list.focus(this.#selected) : this.#back()),
    };
  }

  /** Shows a request. `settles`: it comes up under a finger, or by itself. `begin` is an answer that is begun, and that one more press sends. */
  select(id, { focus = false, settles = false, begin = null } = {}) {
    const approval = this.#store.get(id);
    if (!approval) return;
    const wasOpen = this.#selected !== null;
    this.#selected = this.#store.selected = id;
    this.#card = new Card(approval, {
      send: (answer) => this.#send(id, answer),
      next: () => this.#next(id),
      back: () => this.#back(),
    });
    this.#detail.replaceChildren(this.#card.element);
    if (settles) this.#card.answering.settle();
    if (!wide.matches && !wasOpen) history.pushState({ detail: true }, "");
    if (focus) this.#card.title.focus({ preventScroll: true });
    this.#draw();
    if (begin) this.#card.answering.begin(begin);
  }

  async #send(id, answer) {
    const isTaken = await respond(this.#socket, this.#store, id, answer);
    if (isTaken && this.#selected === id) this.#next(id);
    return isTaken;
  }

  #changed({ id }) {
    const approval = this.#store.get(id);
    if (id === this.#selected) this.#card.update(approval);
    if (!this.#selected && wide.matches && approval.status === "open") return this.select(id, { settles: true });
    this.#redraw();
  }

  #left(id) {
    if (id === this.#selected) this.#next(id);
    else this.#redraw();
  }

  /** Goes on with what waits longest after this one. */
  #next(id) {
    const others = this.#store.waiting().filter((approval) => approval.id !== id);
    const here = this.#store.get(id);
    const next = others.find((approval) => !here || approval.createdMs >= here.createdMs) ?? others[0];
    // The focus goes along with the request that it was in, and is not taken from anything else.
    const at = document.activeElement;
    if (next) return this.select(next.id, { focus: at === document.body || this.#detail.contains(at), settles: true });
    this.#back();
  }

  #back() {
    if (!wide.matches && history.state?.detail) history.back();
    else this.#close();
  }

  #close() {
    const id = this.#selected;
    this.#selected = this.#store.selected = null;
    this.#card = null;
    this.#detail.replaceChildren();
    this.#draw();
    this.#list.focus(id);
  }

  #move(step) {
    const shown = this.#store.shown();
    const at = shown.findIndex((approval) => approval.id === this.#selected);
    const to = at < 0 ? shown[0] : shown[Math.max(0, Math.min(shown.length - 1, at + step))];
    if (!to) return;
    this.select(to.id);
    this.#list.focus(to.id);
  }

  #draw() {
    mark(this.element, "data-open", this.#selected !== null);
    mark(this.element, "data-empty", this.#store.shown().length === 0);
    this.#several.draw();
    this.#list.show(this.#store.shown(), this.#selected, this.#store.isRead);
  }

  #tick() {
    this.#list.tick();
    this.#card?.tick();
    if (!this.#card?.isWhole() || document.hidden) return;
    // It was in sight, whole, for up to a second.
    this.#several.saw(this.#selected);
    mark(this.#card.element, "data-seen", true);
  }
}
