// What has ended: newest first, read page by page, filtered here.

import { moment } from "./clock.js";
import { from } from "./card.js";
import { h, mark, write } from "./dom.js";
import { ending, line, sign, surface, TONE } from "./ending.js";
import { parts, raw, summary } from "./parts.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

const PAGE = 100;
/** So many more are shown by a press, and so many pages are read at most to find them. */
const STEP = 40;
const MAX_PAGES = 25;

export class History {
  name = "history";
  #socket;
  #ended = [];
  #seen = new Set();
  #isAll = false;
  #wanted = STEP;
  #reading = null;
  #filter = { text: "", tool: "", outcome: "", surface: "" };
  #rows = h("ol", { class: "past" });
  #count = h("p", { class: "count", role: "status" });
  #more = h("button", { type: "button", class: "more", onclick: () => this.#readOn(STEP) });
  #fields = {};
  #listen = new AbortController();

  constructor(store, socket) {
    this.#socket = socket;
    const t = words();
    const search = h("input", { type: "search", id: "search", placeholder: t.searchPlaceholder, oninput: () => this.#refilter("text", search.value) });
    this.#fields = { text: search, ...Object.fromEntries(["tool", "outcome", "surface"].map((name) => [name, this.#select(name)])) };
    const labelled = Object.entries(this.#fields).map(([name, field]) =>
      h("label", {}, h("span", { class: name === "text" ? "unseen" : "label" }, t.filter[name]), field));
    write(this.#more, t.more);
    this.element = h("div", { class: "history" },
      h("h1", { class: "unseen" }, t.history),
      h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, labelled),
      this.#count, this.#rows, this.#more);
    socket.addEventListener("told", (event) => this.#told(event.detail), { signal: this.#listen.signal });
    socket.addEventListener("settled", () => this.#again(), { signal: this.#listen.signal });
    this.#readOn(0);
  }

  leave() {
    this.#listen.abort();
  }

  keys() {
    return { "/": () => this.#fields.text.focus(), j: () => this.#move(1), ArrowDown: () => this.#move(1), k: () => this.#move(-1), ArrowUp: () => this.#move(-1), Escape: () => {} };
  }

  #again() {
    [this.#ended, this.#isAll] = [[], false];
    this.#seen.clear();
    this.#readOn(0);
  }

  #told({ method, params }) {
    if (method === "approval.resolved" && this.#take(params.approval)) {
      this.#ended.sort((a, b) => b.endedMs - a.endedMs);
      this.#draw();
    }
  }

  #take(approval) {
    if (approval.status !== "ended" || this.#seen.has(approval.id)) return false;
    this.#seen.add(approval.id);
    this.#ended.push(approval);
    return true;
  }

  async #readOn(more) {
    this.#wanted += more;
    if (this.#reading) return;
    this.#reading = true;
    mark(this.element, "aria-busy", "true");
    try {
      for (let page = 0; page < MAX_PAGES && !this.#isAll && this.#matching().length < this.#wanted; page += 1) {
        const before = this.#ended.at(-1)?.id;
        const { approvals } = await this.#socket.call("approvals.list", { status: "ended", limit: PAGE, ...(before && { before }) });
        const fresh = approvals.filter((approval) => this.#take(approval));
        this.#isAll = approvals.length < PAGE || fresh.length === 0;
      }
    } catch {
      // The connection is lost: the page says so, and this is read again when it is back.
    }
    this.#reading = null;
    mark(this.element, "aria-busy", null);
    this.#draw();
  }

  #refilter(name, value) {
    this.#filter[name] = value;
    this.#wanted = STEP;
    this.#draw();
    this.#readOn(0);
  }

  #matching() {
    const { text, tool, outcome, surface } = this.#filter;
    const wanted = text.trim().toLowerCase();
    return this.#ended.filter((approval) => {
      const { resolution } = approval;
      return (!tool || approval.tool === tool) &&
        (!outcome || resolution.outcome === outcome || TONE[resolution.outcome] === outcome) &&
        (!surface || (resolution.by?.surface ?? "") === surface) &&
        (!wanted || haystack(approval).includes(wanted));
    });
  }

  #draw() {
    const matching = this.#matching();
    const shown = matching.slice(0, this.#wanted);
    const open = new Set([...this.#rows.querySelectorAll("details[open]")].map((details) => details.dataset.id));
    const focused = document.activeElement?.closest?.(".past details")?.dataset.id;
    this.#rows.replaceChildren(...shown.map((approval) => row(approval, open.has(approval.id))));
    if (focused) this.#rows.querySelector(`[data-id="${focused}"] summary`)?.focus();
    write(this.#count, this.#reading ? words().reading : words().found(matching.length, !this.#isAll));
    mark(this.#more, "hidden", this.#isAll && matching.length <= this.#wanted);
    this.#options("tool", this.#ended.map((approval) => [approval.tool, visibleLine(approval.tool)]));
    this.#options("surface", this.#ended.map(({ resolution }) => resolution.by?.surface).filter(Boolean).map((name) => [name, surface(name)]));
  }

  #select(name) {
    const select = h("select", { onchange: () => this.#refilter(name, select.value) }, h("option", { value: "" }, words().any));
    if (name === "outcome") {
      const { outcome, tone } = words();
      const group = (key) => h("optgroup", { label: tone[key] },
        h("option", { value: key }, `${tone[key]} (${words().any})`),
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

function haystack({ id, tool, input, cwd, resolution }) {
  const by = resolution.by;
  return [id, tool, cwd, JSON.stringify(input), by?.name, by?.id, resolution.reason, resolution.rule].filter(Boolean).join("\n").toLowerCase();
}

function row(approval, isOpen) {
  const details = h("details", { "data-id": approval.id, open: isOpen },
    h("summary", {},
      sign(approval), h("span", { class: "tool" }, visibleLine(approval.tool)), h("span", { class: "what" }, summary(approval)),
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
