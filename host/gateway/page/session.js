// One session: what it does, what it asks, and what is said to it. What is written here is a message to the agent: it answers no
// request, whatever it says; the card does.

import { say } from "./announce.js";
import { Attached } from "./attached.js";
import { Card } from "./card.js";
import { moment } from "./clock.js";
import { h, mark, write } from "./dom.js";
import { Draft, forget } from "./draft.js";
import { twice } from "./fields.js";
import { Happenings } from "./happenings.js";
import { isOfKeyboard } from "./keys.js";
import { scopeName } from "./reach.js";
import { respond } from "./respond.js";
import { soon } from "./soon.js";
import { modeOptions } from "./starting.js";
import { Undo } from "./undo.js";
import { View } from "./view.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

/** At most this far from the end of the page, in pixels, the page scrolls along with new lines. */
const NEAR_END = 120;
const SIGN = { open: "☐", doing: "◐", done: "☑" };
const coarse = matchMedia("(pointer: coarse)");

export class OneSession extends View {
  #id;
  #log;
  #store;
  #socket;
  #happenings = new Happenings();
  #held = [];
  #request = null;
  #skipped = null;
  #said = {};
  #draft;
  #attached;
  #open;
  #undo;

  /** `hooks`: `back()`, and `open(id)`, which shows another session. */
  constructor(id, log, store, socket, hooks) {
    super();
    [this.#id, this.#log, this.#store, this.#socket, this.#open] = [id, log, store, socket, hooks.open];
    this.#undo = new Undo(id, log);
    this.#draft = new Draft(`session-${id}`);
    this.#attached = new Attached(id, log);
    const t = words().led;
    const piece = (name, tag, attributes = {}) => (this.#said[name] = h(tag, { class: name, ...attributes }));
    this.title = piece("title", "h2", { id: "session-title", tabindex: -1 });
    this.element = h("article", { class: "card session", "aria-labelledby": "session-title", "data-id": id },
      h("header", {},
        h("button", { class: "back", type: "button", onclick: hooks.back, "aria-label": t.list }, "‹"),
        h("div", { class: "heading" }, piece("from", "p"), this.title),
        h("div", { class: "figures-of" }, piece("state", "span", { role: "status" }), piece("cost", "span"), piece("limit", "span", { hidden: true }))),
      h("div", { class: "content" },
        piece("where", "p"), this.#controls(), piece("todos", "ul", { "aria-label": t.todos }), this.#happenings.element,
        piece("request", "div"), piece("queue", "ol", { "aria-label": t.queue })),
      this.#composer());
    this.every(1000, () => this.#request?.card.tick());
    const draw = soon(() => this.isLeft || this.#draw());
    this.on(log, "changed", draw);
    this.on(log, "happened", ({ detail }) => detail.id === id && this.#happened(detail.happened));
    this.on(log, "writes", ({ detail }) => detail.id === id && this.#writes(detail));
    this.on(store, "approval", draw);
    this.on(store, "left", draw);
    this.on(socket, "settled", () => this.#read());
    this.#draw();
    this.#read();
  }

  keys() {
    return { ...this.#request?.card.answering.keys(), m: () => this.#said.message.focus(), i: () => this.#interrupt(false) };
  }

  /** Takes back what was begun on a request. Returns whether there was anything. */
  escape() {
    return this.#request?.card.answering.escape() ?? false;
  }

  /** What happened before comes first, then what came in meanwhile. */
  async #read() {
    this.#held ??= [];
    const one = await this.#log.read(this.#id);
    if (!one || this.isLeft) return;
    const held = this.#held ?? [];
    this.#held = null;
    this.#follow(() => {
      one.events.forEach((happened) => this.#happenings.add(happened));
      this.#happenings.writes({ from: 0, text: one.partial ?? "" });
      held.forEach((draw) => draw());
    });
  }

  #happened(happened) {
    this.#inTurn(() => this.#happenings.add(happened));
  }

  #writes(part) {
    this.#inTurn(() => this.#happenings.writes(part));
  }

  #inTurn(draw) {
    if (this.#held) this.#held.push(draw);
    else this.#follow(draw);
  }

  /** Draws, and stays at the end where the end was in sight. */
  #follow(draw) {
    const page = document.scrollingElement;
    const wasAtEnd = innerHeight + page.scrollTop >= page.scrollHeight - NEAR_END;
    draw();
    if (wasAtEnd) page.scrollTop = page.scrollHeight;
  }

  #draw() {
    const session = this.#log.get(this.#id);
    if (!session) return;
    const t = words().led;
    const isOver = session.state === "ended";
    mark(this.element, "data-state", session.state);
    write(this.title, visibleLine(session.name || session.title) || t.untitled);
    if (document.activeElement !== this.#said.name) this.#said.name.value = session.name;
    write(this.#said.from, `${t.session(session.id.slice(0, 8))} · ${moment(session.createdMs)}`);
    write(this.#said.state, t.state[session.state] ?? session.state);
    write(this.#said.cost, session.costUsd ? `$${session.costUsd.toFixed(2)}` : "");
    this.#drawLimit(session.limit);
    write(this.#said.where, `${visibleLine(session.cwd)}${session.model ? ` · ${visibleLine(session.model)}` : ""}`);
    if (this.#said.mode.dataset.mode !== session.mode) {
      this.#said.mode.dataset.mode = session.mode;
      this.#said.mode.replaceChildren(...modeOptions(session.mode, this.#log.modes));
    }
    for (const name of ["mode", "model", "setModel", "undo", "stop", "message", "send"]) mark(this.#said[name], "disabled", isOver);
    mark(this.#said.stop, "hidden", isOver);
    mark(this.#said.resume, "hidden", !isOver);
    mark(this.#said.fork, "disabled", !["idle", "ended"].includes(session.state));
    if (session.state !== "idle") this.#undo.leave();
    mark(this.#said.interrupt, "hidden", !["working", "asking"].includes(session.state));
    this.#drawTodos(session.todos);
    this.#drawQueue(session.queue);
    this.#follow(() => this.#drawRequest());
  }

  #drawLimit(limit) {
    mark(this.#said.limit, "hidden", !limit);
    if (!limit) return;
    const t = words().led;
    const used = limit.state === "rejected" ? t.limitReached : limit.used === undefined ? "" : ` ${Math.round(limit.used * 100)} %`;
    mark(this.#said.limit, "data-state", limit.state);
    mark(this.#said.limit, "title", limit.resetsMs ? t.limitUntil(moment(limit.resetsMs)) : null);
    write(this.#said.limit, `${t.limit(visibleLine(limit.window))}${used}`);
  }

  #drawTodos(todos) {
    const t = words().led;
    mark(this.#said.todos, "hidden", todos.length === 0);
    this.#said.todos.replaceChildren(...todos.map(({ text, state }) => h("li", { "data-state": state },
      h("span", { "aria-hidden": "true" }, SIGN[state] ?? "·"), h("span", { class: "unseen" }, `${t.todo[state] ?? ""}: `), h("span", { class: "what" }, visibleLine(text)))));
  }

  /** What waits and what the agent has; of the rest the last one. */
  #drawQueue(queue) {
    const t = words().led;
    const shown = queue.filter(({ stage }, at) => ["waiting", "taken"].includes(stage) || at === queue.length - 1);
    mark(this.#said.queue, "hidden", shown.length === 0);
    const key = JSON.stringify(shown);
    if (this.#said.queue.dataset.shown === key) return;
    this.#said.queue.dataset.shown = key;
    this.#said.queue.replaceChildren(...shown.map(({ id, text, stage }) => {
      const button = stage === "waiting" ? h("button", { type: "button", onclick: () => this.#retract(id), "aria-label": `${t.retract}: ${visibleLine(text)}` }, t.retract) : null;
      return h("li", { "data-stage": stage }, h("span", { class: "label" }, t.stage[stage] ?? stage), h("span", { class: "what" }, visibleLine(text)), button);
    }));
    if (queue.some(({ stage }) => stage === "waiting")) {
      this.#said.queue.append(h("li", {}, h("button", { type: "button", class: "all", onclick: () => this.#interrupt(true) }, t.interruptAll)));
    }
  }

  /** The request that waits longest, with its buttons, where the session waits for it. */
  #drawRequest() {
    const mine = this.#store.shown().filter(({ source }) => source.kind === "session" && source.sessionId === this.#id);
    const here = mine.find(({ id }) => id === this.#request?.id);
    if (here && !(here.status === "ended" && this.#skipped === here.id)) return this.#request.card.update(here);
    const next = mine.find(({ status }) => status !== "ended");
    mark(this.element, "data-asks", Boolean(next));
    if (!next) {
      this.#request = null;
      return this.#said.request.replaceChildren();
    }
    const card = new Card(next, {
      send: (answer) => respond(this.#socket, this.#store, next.id, answer), stop: next.offer?.askedOn ? null : (reason) => this.#interrupt(false, reason),
      next: () => this.#next(next.id), back: () => {},
    });
    this.#request = { id: next.id, card };
    this.#said.request.replaceChildren(card.element);
    card.answering.settle();
  }

  #next(id) {
    this.#skipped = id;
    this.#drawRequest();
    this.title.focus({ preventScroll: true });
  }

  #controls() {
    const t = words().led;
    const say = (name, element) => (this.#said[name] = element);
    say("mode", h("select", { id: "session-mode", onchange: () => this.#setMode() }));
    say("model", h("input", { id: "session-model", maxlength: 200, autocomplete: "off", spellcheck: "false", placeholder: t.modelDefault }));
    say("setModel", h("button", { type: "submit" }, t.set));
    say("rules", h("button", { type: "button", onclick: () => this.#showRules() }, t.rules));
    say("rulesList", h("ul", { class: "rules-of", hidden: true, "aria-label": t.rules }));
    say("name", h("input", { id: "session-name", maxlength: 80, autocomplete: "off" }));
    say("undo", h("button", { type: "button", onclick: () => this.#undo.look() }, t.undo));
    say("fork", h("button", { type: "button", onclick: () => this.#fork() }, t.fork));
    say("stop", twice(t.stop, t.stopAgain, () => this.#log.call("session.stop", { id: this.#id }), { class: "deny" }));
    say("resume", h("button", { type: "button", class: "approve", onclick: () => this.#resume() }, t.resume));
    const model = h("form", { onsubmit: (event) => this.#setModel(event) }, h("label", { for: "session-model" }, t.modelLabel), h("span", { class: "row" }, this.#said.model, this.#said.setModel));
    const name = h("form", { onsubmit: (event) => this.#rename(event) }, h("label", { for: "session-name" }, t.nameLabel), h("span", { class: "row" }, this.#said.name, h("button", { type: "submit" }, t.set)));
    return h("details", { class: "controls" }, h("summary", {}, t.controls),
      h("div", { class: "grid" },
        h("p", {}, h("label", { for: "session-mode" }, t.modeLabel), this.#said.mode), model, name,
        h("p", { class: "row" }, this.#said.rules, this.#said.undo, this.#said.fork, this.#said.stop, this.#said.resume)),
      this.#said.rulesList, this.#undo.element);
  }

  #composer() {
    const t = words().led;
    const field = (this.#said.message = h("textarea", { id: "session-message", rows: 2, maxlength: 100_000, placeholder: t.writeExample }));
    field.value = this.#draft.get("message") ?? "";
    field.addEventListener("input", () => this.#draft.set("message", field.value));
    field.addEventListener("keydown", (event) => {
      // On a phone the key makes a line.
      if (event.key !== "Enter" || event.shiftKey || isOfKeyboard(event) || coarse.matches) return;
      event.preventDefault();
      form.requestSubmit();
    });
    this.#said.send = h("button", { type: "submit", class: "approve" }, t.send);
    this.#said.interrupt = h("button", { type: "button", class: "deny interrupt", onclick: () => this.#interrupt(false) }, t.interrupt);
    const form = h("form", { class: "actions composer", onsubmit: (event) => this.#send(event) },
      h("label", { for: "session-message", class: "unseen" }, t.write), this.#attached.element, field,
      h("div", { class: "buttons" }, this.#said.interrupt, this.#attached.button, this.#said.send));
    this.#attached.listen(form);
    this.#attached.addEventListener("changed", () => mark(this.#said.send, "disabled", this.#attached.isBusy));
    return form;
  }

  async #send(event) {
    event.preventDefault();
    const field = this.#said.message;
    const { mentions, isBusy } = this.#attached;
    const written = field.value;
    const text = [written.trimEnd(), mentions.join("\n")].filter(Boolean).join("\n\n");
    if (!text.trim() || isBusy || this.#said.send.ariaBusy === "true") return;
    mark(this.#said.send, "aria-busy", "true");
    const sent = await this.#log.call("session.send", { id: this.#id, text });
    mark(this.#said.send, "aria-busy", null);
    if (!sent) return;
    // What came after it is the next message.
    field.value = field.value.startsWith(written) ? field.value.slice(written.length).trimStart() : field.value;
    this.#attached.clear(mentions);
    this.#draft.set("message", field.value);
    if (!field.value) forget(`session-${this.#id}`);
    field.focus({ preventScroll: true });
  }

  /** Returns whether the client stopped its turn. */
  async #interrupt(cancelQueued, reason) {
    if (this.#said.interrupt.hidden && !cancelQueued) return false;
    const done = await this.#log.call("session.interrupt", { id: this.#id, ...(reason && { reason }), ...(cancelQueued && { cancelQueued }) });
    if (done) say(words().led.interrupted);
    return Boolean(done);
  }

  async #retract(messageId) {
    const done = await this.#log.call("session.retract", { id: this.#id, messageId });
    const t = words().led;
    if (done) say(done.retracted ? t.retracted : t.tooLate, done.retracted ? "good" : "bad");
  }

  async #setMode() {
    const { mode } = this.#said;
    const set = await this.#log.call("session.mode", { id: this.#id, mode: mode.value });
    if (set && !set.confirm) return say(words().led.changed, "good");
    mode.replaceChildren(...modeOptions(mode.dataset.mode, this.#log.modes));
    if (set) say(words().led.confirm);
  }

  async #setModel(event) {
    event.preventDefault();
    const model = this.#said.model.value.trim();
    if (await this.#log.call("session.model", { id: this.#id, ...(model && { model }) })) say(words().led.changed, "good");
  }

  async #rename(event) {
    event.preventDefault();
    if (await this.#log.call("session.rename", { id: this.#id, name: this.#said.name.value })) say(words().led.changed, "good");
  }

  async #fork() {
    const { fork } = this.#said;
    mark(fork, "aria-busy", "true");
    const forked = await this.#log.call("session.fork", { id: this.#id });
    mark(fork, "aria-busy", null);
    if (forked) this.#open(forked.session.id);
  }

  async #showRules() {
    const t = words().led;
    const listed = await this.#log.call("session.rules", { id: this.#id });
    if (!listed) return;
    const rows = listed.rules.map(({ behavior, rule, source }) => h("li", {}, h("span", { class: "label" }, visibleLine(behavior)), " ", h("code", {}, visibleLine(rule)), " ", h("small", {}, visibleLine(source))));
    const given = listed.given.map(({ number, permission, scope, by }) => {
      const text = visibleLine(permission.text);
      const button = h("button", { type: "button", onclick: () => this.#revoke(number), "aria-label": `${t.revoke}: ${text}` }, t.revoke);
      return h("li", { class: "row" }, h("code", {}, text), " ", h("small", {}, t.givenBy(scopeName(scope), visibleLine(by.name))), " ", button);
    });
    const heading = given.length ? [h("li", { class: "fine" }, t.given)] : [];
    this.#said.rulesList.replaceChildren(...(rows.length || given.length ? [...rows, ...heading, ...given] : [h("li", {}, t.noRules)]));
    mark(this.#said.rulesList, "hidden", null);
  }

  async #revoke(number) {
    if (await this.#log.call("session.revoke", { id: this.#id, number })) say(words().led.revoked, "good");
    await this.#showRules();
  }

  async #resume() {
    const { resume } = this.#said;
    mark(resume, "disabled", true);
    const resumed = await this.#log.call("session.resume", { id: this.#id });
    mark(resume, "disabled", null);
    if (resumed) this.#read();
  }
}
