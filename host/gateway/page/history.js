// What has ended: newest first, filtered by the gateway, read page by page.

import { from } from "./card.js";
import { moment } from "./clock.js";
import { h, mark, write } from "./dom.js";
import { say } from "./announce.js";
import { ending, line, sign, surface, TONE } from "./ending.js";
import { csv, json, save } from "./export.js";
import { headingOf } from "./heading.js";
import { parts, raw, summary } from "./parts.js";
import { View } from "./view.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const PAGE = 50;
/** The most requests in a file. */
const MOST = 20_000;
/** Who types has paused for so long before anything is looked for. */
const PAUSE_MS = 250;

export class History extends View {
  name = "history";
  #socket;
  #ended = new Map();
  /** The last one of the last page: what comes next came in before it. */
  #cursor = null;
  #isAll = false;
  #asked = 0;
  #timer = null;
  #filter = {};
  #rows = h("ol", { class: "past" });
  #count = h("p", { class: "count", role: "status" });
  #more = h("button", { type: "button", class: "more", onclick: () => this.#read() }, words().more);
  #fields;

  constructor(store, socket) {
    super();
    this.#socket = socket;
    const t = words();
    const search = h("input", { type: "search", id: "search", placeholder: t.searchPlaceholder, maxlength: 300, oninput: () => this.#refilter("text", search.value.trim()) });
    this.#fields = { text: search, ...Object.fromEntries(["tool", "outcome", "surface"].map((name) => [name, this.#select(name)])) };
    const date = (name, of) => {
      const field = h("input", { type: "date", id: name, onchange: () => this.#refilter(of, midnight(field.value, of === "untilMs" ? 1 : 0)) });
      return field;
    };
    [this.#fields.from, this.#fields.to] = [date("from", "sinceMs"), date("to", "untilMs")];
    const labelled = Object.entries(this.#fields).map(([name, field]) =>
      h("label", {}, h("span", { class: name === "text" ? "unseen" : "label" }, t.filter[name]), field));
    this.element = h("div", { class: "history" },
      h("h1", { class: "unseen" }, t.history),
      h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, labelled),
      h("div", { class: "found" }, this.#count,
        h("button", { type: "button", class: "export", "data-as": "csv", onclick: (event) => this.#export(event.target) }, t.exportAs("CSV")),
        h("button", { type: "button", class: "export", "data-as": "json", onclick: (event) => this.#export(event.target) }, t.exportAs("JSON"))),
      this.#rows, this.#more);
    this.on(socket, "told", (event) => this.#told(event.detail));
    this.on(socket, "settled", () => this.#again());
    this.#again();
  }

  leave() {
    clearTimeout(this.#timer);
    super.leave();
  }

  keys() {
    return { "/": () => this.#fields.text.focus(), j: () => this.#move(1), ArrowDown: () => this.#move(1), k: () => this.#move(-1), ArrowUp: () => this.#move(-1), Escape: () => {} };
  }

  #again() {
    this.#ended.clear();
    [this.#cursor, this.#isAll] = [null, false];
    this.#read();
  }

  #refilter(name, value) {
    if (value) this.#filter[name] = value;
    else delete this.#filter[name];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(), PAUSE_MS);
  }

  #told({ method, params: { approval } }) {
    if (method !== "approval.resolved" || !this.#isWanted(approval)) return;
    this.#ended.set(approval.id, approval);
    this.#draw();
  }

  async #read(wanted = PAGE) {
    const asked = (this.#asked += 1);
    mark(this.element, "aria-busy", "true");
    const before = this.#cursor;
    try {
      const { approvals } = await this.#socket.call("approvals.list", { status: "ended", limit: wanted, ...this.#filter, ...(before && { before }) });
      if (asked !== this.#asked) return;
      approvals.forEach((approval) => this.#ended.set(approval.id, approval));
      // A page may be shorter than was asked for, where requests are long: only an empty one is the last.
      [this.#cursor, this.#isAll] = [approvals.at(-1)?.id ?? before, approvals.length === 0];
      if (approvals.length && approvals.length < wanted) return this.#read(wanted - approvals.length);
    } catch {
      // The connection is lost: the page says so, and this is read again when it is back.
    }
    if (asked !== this.#asked) return;
    mark(this.element, "aria-busy", null);
    this.#draw();
  }

  /** Saves everything that is found, not only what is in sight. */
  async #export(button) {
    mark(button, "disabled", true);
    try {
      const all = [];
      for (let before = null; all.length < MOST; before = all.at(-1).id) {
        const { approvals } = await this.#socket.call("approvals.list", { status: "ended", limit: 500, ...this.#filter, ...(before && { before }) });
        if (approvals.length === 0) break;
        all.push(...approvals);
      }
      const isCsv = button.dataset.as === "csv";
      // A spreadsheet takes a file for UTF-8 where it begins so.
      save(isCsv ? `\ufeff${csv(all)}` : json(all), `dmplz-history.${button.dataset.as}`, isCsv ? "text/csv" : "application/json");
      say(words().exported(all.length));
    } catch (error) {
      say(words().failure[error.code] ?? words().failed(error.message ?? ""), "bad");
    }
    mark(button, "disabled", null);
  }

  /** What the gateway looks for, of one that ends while the list is looked at. */
  #isWanted({ tool, cwd, input, source, createdMs, resolution }) {
    const { text, sinceMs = 0, untilMs = Infinity, ...exact } = this.#filter;
    const found = { tool, outcome: resolution.outcome, surface: resolution.by?.surface };
    return Object.entries(exact).every(([name, value]) => found[name] === value) &&
      sinceMs <= createdMs && createdMs < untilMs &&
      (!text || [tool, cwd, JSON.stringify(input), source.sessionId ?? "", resolution.reason ?? ""].join("\n").toLowerCase().includes(text.toLowerCase()));
  }

  #draw() {
    const ended = [...this.#ended.values()].sort((a, b) => b.endedMs - a.endedMs);
    const open = new Set([...this.#rows.querySelectorAll("details[open]")].map((details) => details.dataset.id));
    const focused = document.activeElement?.closest?.(".past details")?.dataset.id;
    this.#rows.replaceChildren(...ended.map((approval) => row(approval, open.has(approval.id))));
    if (focused) this.#rows.querySelector(`[data-id="${focused}"] summary`)?.focus();
    write(this.#count, words().found(ended.length, !this.#isAll));
    mark(this.#more, "hidden", this.#isAll);
    this.#options("tool", ended.map((approval) => [approval.tool, visibleLine(approval.tool)]));
    this.#options("surface", ended.map(({ resolution }) => resolution.by?.surface).filter(Boolean).map((name) => [name, surface(name)]));
  }

  #select(name) {
    const select = h("select", { onchange: () => this.#refilter(name, select.value) }, h("option", { value: "" }, words().any));
    if (name === "outcome") {
      const { outcome, tone } = words();
      const group = (key) => h("optgroup", { label: tone[key] },
        Object.keys(outcome).filter((end) => TONE[end] === key).map((end) => h("option", { value: end }, outcome[end])));
      select.append(group("good"), group("bad"), group("spent"));
    }
    return select;
  }

  #options(name, found) {
    const select = this.#fields[name];
    const known = new Set([...select.options].map((option) => option.value));
    for (const [value, label] of new Map(found)) if (!known.has(value)) select.append(h("option", { value }, label));
  }

  #move(step) {
    const summaries = [...this.#rows.querySelectorAll(":scope > li > details > summary")];
    const at = summaries.indexOf(document.activeElement);
    summaries[at < 0 ? 0 : Math.max(0, Math.min(summaries.length - 1, at + step))]?.focus();
  }
}

/** When a day of `yyyy-mm-dd` begins here, some days later, in Unix milliseconds; `undefined` where none is chosen. */
function midnight(day, later) {
  const [year, month, date] = day.split("-").map(Number);
  return date ? new Date(year, month - 1, date + later).getTime() : undefined;
}

function row(approval, isOpen) {
  const details = h("details", { "data-id": approval.id, open: isOpen },
    h("summary", {},
      sign(approval), h("span", { class: "tool" }, headingOf(approval)), h("span", { class: "what" }, summary(approval)),
      h("span", { class: "how" }, line(approval)), h("time", { datetime: new Date(approval.endedMs).toISOString() }, moment(approval.endedMs))));
  const fill = () => {
    if (!details.open || details.children.length > 1) return;
    details.append(h("div", { class: "content" },
      ending(approval, true),
      h("p", { class: "folder" }, h("span", { class: "label" }, words().folder), h("code", {}, visibleLine(approval.cwd))),
      parts(approval).element, raw(approval),
      h("p", { class: "from" }, `${from(approval)} · ${approval.id}`)));
  };
  details.addEventListener("toggle", fill);
  fill();
  return h("li", {}, details);
}
