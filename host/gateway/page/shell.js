// The frame: name, views, connection, language. Views come and go in it.

import { badge, notify, say } from "./announce.js";
import { h, mark, write } from "./dom.js";
import { Figures } from "./figures.js";
import { Granted } from "./granted.js";
import { History } from "./history.js";
import { icon } from "./icons.js";
import { Inbox } from "./inbox.js";
import { headingOf } from "./heading.js";
import { help, listen } from "./keys.js";
import { folder } from "./list.js";
import { notifyMe } from "./notify.js";
import { Outages } from "./outages.js";
import { isPushed, onTap, settle } from "./push.js";
import { soon } from "./soon.js";
import { play } from "./sound.js";
import { Runs } from "./runs.js";
import { Sessions } from "./sessions.js";
import { Settings } from "./settings.js";
import { nextTheme, theme } from "./theme.js";
import { Twice } from "./twice.js";
import { View } from "./view.js";
import { lang, toggle, words } from "./words.js";

let current = null;
listen(() => current?.view, (name) => current?.go(name));

export class Shell extends View {
  view = null;
  #root;
  #me;
  #store;
  #socket;
  #runLog;
  #grants;
  #sessions;
  #tabs = {};
  #main = h("main", { id: "main", tabindex: -1 });
  #line = h("div", { class: "lost", role: "status" });
  #outages;
  #state = "connecting";
  #retryAt = 0;
  /** What came in while the connection was away: it is told once it is known what became of it. */
  #missed = [];
  /** The request of a notice that was tapped, until it is here, and the answer whose button was pressed. */
  #wanted = null;
  #unhear = onTap((id, answer) => this.open(id, answer));

  constructor(root, me, store, socket, runLog, grants, sessions) {
    super();
    [this.#root, this.#me, this.#store, this.#socket, this.#runLog, this.#grants, this.#sessions] = [root, me, store, socket, runLog, grants, sessions];
    this.#outages = new Outages(socket);
    this.every(500, () => this.#drawLine());
    this.on(socket, "settled", () => {
      this.#connection("up");
      for (const approval of this.#missed.splice(0)) if (this.#store.get(approval.id)?.status === "open") this.#arrived(approval);
    });
    this.on(socket, "down", ({ detail }) => this.#connection("down", detail.retryMs));
    const recount = soon(() => this.isLeft || this.#count());
    this.on(store, "approval", () => this.#openWanted());
    this.on(socket, "settled", () => this.#openWanted(true));
    this.on(store, "approval", recount);
    this.on(store, "left", recount);
    this.on(socket, "told", ({ detail: { method, params } }) => {
      if (method !== "approval.requested") return;
      if (this.#state === "up") this.#arrived(params.approval);
      else this.#missed.push(params.approval);
    });
    this.on(runLog, "run", () => mark(this.#tabs.runs, "hidden", null));
    this.on(grants, "changed", () => this.#countGrants());
    this.on(sessions, "changed", () => this.#offerSessions());
    current = this;
    this.#draw("inbox");
  }

  /** Shows another view. */
  go(name) {
    if (this.view?.name === name) return;
    this.view?.leave();
    const make = { inbox: () => new Inbox(this.#store, this.#socket), history: () => new History(this.#store, this.#socket), figures: () => new Figures(this.#store, this.#socket), runs: () => new Runs(this.#runLog), grants: () => new Granted(this.#grants), sessions: () => new Sessions(this.#sessions, this.#store, this.#socket), settings: () => new Settings(this.#socket) };
    this.view = make[name]();
    this.#main.replaceChildren(this.view.element);
    for (const [tab, button] of Object.entries(this.#tabs)) mark(button, "aria-current", tab === name && "page");
    this.#count();
    this.#countGrants();
    this.#offerSessions();
  }

  /** Shows a request, as soon as it is here, and begins this answer. */
  open(id, answer = null) {
    this.#wanted = { id, answer };
    this.#openWanted(this.#state === "up");
  }

  #openWanted(isAll = false) {
    if (this.#wanted === null) return;
    const { id, answer } = this.#wanted;
    if (this.#store.get(id)) {
      this.#wanted = null;
      this.go("inbox");
      this.view.select(id, { focus: true, begin: answer });
    } else if (isAll) {
      this.#wanted = null;
      this.go("inbox");
      say(words().push.over);
    }
  }

  leave() {
    this.#unhear();
    this.#outages.leave();
    this.view?.leave();
    super.leave();
    current = null;
    badge(0);
    // A dialog would keep everything else from being used.
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    mark(document.body, "data-line", null);
  }

  #draw(name) {
    const t = words();
    const tab = (view, label) => (this.#tabs[view] = h("button", { type: "button", "data-view": view, onclick: () => this.go(view) },
      icon(view), h("span", {}, label), h("span", { class: "number" })));
    const tabs = h("nav", { class: "tabs", "aria-label": t.views },
      tab("inbox", t.inbox), tab("history", t.history), tab("figures", t.figures), tab("runs", t.runs), tab("grants", t.inForce.name), tab("sessions", t.led.name), tab("settings", t.set.name));
    mark(this.#tabs.runs, "hidden", this.#runLog.runs.size === 0);
    const bell = h("button", { type: "button", class: "bell", onclick: () => notifyMe(this.#socket) }, icon("bell"), h("span", {}, t.notify));
    const colours = h("button", { type: "button", class: "theme", onclick: () => [nextTheme(), drawTheme()] });
    const drawTheme = () => [mark(colours, "aria-label", t.theme[theme()]), mark(colours, "title", t.theme[theme()]), colours.replaceChildren(icon(theme()))];
    drawTheme();
    const label = h("span", {}, t.logout);
    const leave = h("button", { type: "button", class: "logout", onclick: () => presses.isSure() && this.dispatchEvent(new Event("logout")) }, icon("leave"), label);
    const presses = new Twice(leave, (isArmed) => {
      leave.classList.toggle("armed", isArmed);
      write(label, isArmed ? t.logoutAgain : t.logout);
      // On a phone the words have no room, and a screen reader does not read them by itself.
      if (isArmed) say(t.logoutSure);
    });
    const tools = h("div", { class: "tools" }, bell,
      h("button", { type: "button", class: "lang", lang: lang() === "ko" ? "en" : "ko", onclick: () => this.#translate() }, lang() === "ko" ? "English" : "한국어"),
      colours,
      h("button", { type: "button", class: "keys", onclick: help, "aria-label": t.keysTitle }, "?"),
      leave);
    this.#root.replaceChildren(
      h("a", { class: "skip", href: "#main" }, t.skip),
      h("header", { class: "top" },
        h("p", { class: "brand" }, h("img", { src: "/assets/icon.svg", alt: "", width: 24, height: 24 }), "dmplz", this.#me.name ? h("span", {}, this.#me.name) : null),
        tabs, tools),
      this.#line, this.#outages.element, this.#main);
    this.#outages.draw();
    this.go(name);
    this.#drawLine();
  }

  #translate() {
    toggle();
    const { name } = this.view;
    this.view.leave();
    this.view = null;
    this.#draw(name);
    this.#root.querySelector(".lang").focus();
  }

  #arrived(approval) {
    const what = words().arrived(headingOf(approval), folder(approval.cwd));
    say(what, "", this.view.showsList);
    play();
    if (!isPushed()) notify("dmplz", what, approval.id, () => current?.open(approval.id));
  }

  #count() {
    const waiting = this.#store.waiting();
    const count = waiting.length;
    badge(count);
    // Until the list is whole, a notice may be of a request that is still on its way.
    if (this.#state === "up") settle(new Set(waiting.map(({ id }) => id)));
    write(this.#tabs.inbox.querySelector(".number"), count ? String(count) : "");
  }

  /** The tab stays while its view is in sight, so that nothing is pulled away from under a hand. */
  #countGrants() {
    const count = this.#grants.held.length;
    mark(this.#tabs.grants, "hidden", count === 0 && this.view?.name !== "grants");
    write(this.#tabs.grants.querySelector(".number"), count ? String(count) : "");
  }

  /** The tab is there once there is a session, or one may be started from here. */
  #offerSessions() {
    const { sessions, folders } = this.#sessions;
    mark(this.#tabs.sessions, "hidden", sessions.length + folders.length === 0 && this.view?.name !== "sessions");
  }

  #connection(state, retryMs = 0) {
    const was = this.#state;
    this.#state = state;
    this.#retryAt = Date.now() + retryMs;
    if (state === "up" && was === "down") say(words().online, "good");
    this.#drawLine();
  }

  #drawLine() {
    mark(document.body, "data-line", this.#state);
    if (this.#state !== "down") return this.#line.replaceChildren();
    const t = words();
    if (!this.#line.firstChild) {
      this.#line.append(h("strong", {}, t.offline), " ", h("span", { "aria-hidden": "true" }), h("button", { type: "button", onclick: () => this.#socket.open() }, t.retryNow));
    }
    const seconds = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1000));
    write(this.#line.querySelector("span"), seconds ? t.retryIn(seconds) : t.retrying);
  }
}
