// Messengers that have been out for a minute or more: a line above the views while it lasts.

import { say } from "./announce.js";
import { moment } from "./clock.js";
import { h, write } from "./dom.js";
import { View } from "./view.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

export class Outages extends View {
  element = h("div", { class: "outages", role: "status" });
  #socket;
  #out = new Map();

  constructor(socket) {
    super();
    this.#socket = socket;
    this.on(socket, "settled", () => this.#look());
    this.on(socket, "told", ({ detail: { method, params } }) => {
      if (method === "messenger.unreachable") this.#out.set(params.messenger, params);
      else if (method === "messenger.reachable" && this.#out.delete(params.messenger)) say(words().outage.over(visibleLine(params.messenger)), "good");
      else return;
      this.draw();
    });
  }

  /** What was out before this page came. */
  async #look() {
    const status = await this.#socket.call("gateway.status").catch(() => null);
    if (!status || this.isLeft) return;
    this.#out = new Map(status.messengers.filter((one) => one.alert).map(({ name, sinceMs, why }) => [name, { messenger: name, sinceMs, why }]));
    this.draw();
  }

  draw() {
    const t = words().outage;
    const lines = [...this.#out.values()].map(({ messenger, sinceMs, why }) => {
      const line = t.since(visibleLine(messenger), moment(sinceMs));
      return why ? `${line} (${visibleLine(why)})` : line;
    });
    while (this.element.children.length > lines.length) this.element.lastChild.remove();
    while (this.element.children.length < lines.length) this.element.append(h("p", {}));
    lines.forEach((line, at) => write(this.element.children[at], line));
  }
}
