// The list of requests in sight.

import { countdown, moment, now } from "./clock.js";
import { SHORT_MS } from "./card.js";
import { h, mark, write } from "./dom.js";
import { line, sign } from "./ending.js";
import { headingOf } from "./heading.js";
import { summary } from "./parts.js";
import { sessionOf } from "./store.js";
import { visibleLine } from "./visible.js";
import { words } from "./words.js";

/** More rows than anybody looks through are counted instead. */
const MAX_ROWS = 200;

export class List {
  #rows = new Map();
  #pick;
  #several;
  #nameOf;
  #items = h("ol", { class: "rows" });
  #more = h("p", { class: "more" });
  #reading;
  #empty;

  /** `pick(id, isPointed)`: a request was chosen, by a pointer or by a key. `several`: those that are answered together. `nameOf(session)`: `{branch, prompt}`. */
  constructor(pick, several, nameOf) {
    [this.#pick, this.#several, this.#nameOf] = [pick, several, nameOf];
    const t = words();
    this.#reading = h("p", { class: "nothing", role: "status" }, t.reading);
    this.#empty = h("div", { class: "empty" },
      h("p", { class: "mark", "aria-hidden": "true" }, "✓"), h("h2", {}, t.nothingWaits), h("p", {}, t.nothingWaitsMore));
    this.element = h("nav", { class: "list", "aria-label": t.list }, several.element, this.#items, this.#more, this.#reading, this.#empty);
  }

  /** Shows these, and which one is selected. `isRead`: there are no others. */
  show(approvals, selected, isRead) {
    const visible = approvals.slice(0, MAX_ROWS);
    const wanted = new Set(visible.map((approval) => approval.id));
    for (const [id, row] of this.#rows) {
      if (wanted.has(id)) continue;
      row.item.remove();
      this.#rows.delete(id);
    }
    const isSeveral = new Set(visible.map(sessionOf)).size > 1;
    visible.forEach((approval, at) => {
      const row = this.#rows.get(approval.id) ?? this.#row(approval);
      // Who answered may become known after that somebody did.
      if (row.status !== approval.status || approval.status !== "open") this.#drawState(row, approval);
      mark(row.check, "hidden", !this.#several.isOn || approval.status !== "open");
      row.check.firstChild.checked = this.#several.isPicked(approval.id);
      mark(row.button, "aria-current", approval.id === selected && "true");
      if (this.#items.children[at] !== row.item) this.#items.insertBefore(row.item, this.#items.children[at] ?? null);
      // Several sessions are told apart by a line above the first request of each.
      const isFirst = isSeveral && (at === 0 || sessionOf(visible[at - 1]) !== sessionOf(approval));
      write(row.group, isFirst ? groupName(approval, this.#nameOf(approval.source.sessionId)) : "");
      mark(row.group, "hidden", !isFirst);
    });
    const hidden = approvals.length - visible.length;
    write(this.#more, hidden ? words().moreWait(hidden) : "");
    mark(this.#reading, "hidden", isRead);
    mark(this.#empty, "hidden", approvals.length > 0 || !isRead);
    this.tick();
  }

  /** A second passed. */
  tick() {
    for (const { approval, left, button } of this.#rows.values()) {
      const leftMs = approval.expiresMs - now();
      mark(button, "data-short", approval.status === "open" && leftMs < SHORT_MS);
      write(left, approval.status === "ended" ? moment(approval.endedMs ?? now()) : countdown(leftMs));
    }
  }

  /** Moves the focus to a row. */
  focus(id) {
    const row = this.#rows.get(id);
    row?.button.focus({ preventScroll: true });
    row?.button.scrollIntoView({ block: "nearest" });
  }

  #row(approval) {
    const left = h("span", { class: "left" });
    const state = h("span", { class: "state" });
    const button = h("button", { type: "button", "data-id": approval.id, onclick: ({ detail }) => this.#pick(approval.id, detail > 0) },
      h("span", { class: "tool" }, headingOf(approval), approval.subject?.risks?.length ? h("span", { class: "risky", title: words().risks }, " ⚠") : null), left,
      h("span", { class: "what" }, summary(approval)),
      h("span", { class: "where" }, folder(approval.cwd)), state);
    const check = h("label", { class: "check", hidden: true },
      h("input", { type: "checkbox", "aria-label": `${headingOf(approval)}: ${summary(approval)}`, onchange: ({ target }) => this.#several.pick(approval.id, target.checked) }));
    const group = h("p", { class: "group", hidden: true });
    const row = { approval, left, state, button, check, group, item: h("li", {}, group, h("div", { class: "row" }, check, button)) };
    this.#rows.set(approval.id, row);
    return row;
  }

  #drawState(row, approval) {
    row.approval = approval;
    row.status = approval.status;
    mark(row.button, "data-status", approval.status);
    row.state.replaceChildren(...(approval.status === "open" ? [] : [sign(approval), " ", line(approval)]));
  }
}

/** The folder, its branch, and the session: by what was asked of it first, or by its id. */
function groupName({ cwd, source }, name) {
  const t = words();
  if (name?.prompt || name?.branch) {
    const session = name.prompt ? `“${visibleLine(name.prompt)}”` : t.fromSession(visibleLine(source.sessionId).slice(0, 8));
    return [folder(cwd), name.branch && visibleLine(name.branch), session].filter(Boolean).join(" · ");
  }
  const from = source.kind === "tool" ? t.fromTool(source.invocationId.slice(0, 8)) : t.fromSession(visibleLine(source.sessionId).slice(0, 8));
  return [folder(cwd), from].filter(Boolean).join(" · ");
}

/** The end of a path: what tells two projects apart. */
export function folder(path) {
  const names = visibleLine(path ?? "").split("/").filter(Boolean);
  return names.length > 2 ? `…/${names.slice(-2).join("/")}` : visibleLine(path ?? "");
}
