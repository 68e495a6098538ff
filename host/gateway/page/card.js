// One request, whole: who asks for what, how long there is, and the buttons.

import { Answering } from "./answer.js";
import { countdown, now, spoken } from "./clock.js";
import { h, mark, write } from "./dom.js";
import { headingOf } from "./heading.js";
import { parts, raw } from "./parts.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** From here on time is short. */
export const SHORT_MS = 30_000;

export class Card {
  #approval;
  #left = h("span", { class: "left" });
  #bar = h("span", { class: "bar" });
  #spoken = h("span", { class: "unseen" });

  /** `hooks`: `send(answer)`, `next()`, `back()`, and for a session that is led `stop(reason)`. */
  constructor(approval, hooks) {
    this.#approval = approval;
    const pieces = parts(approval);
    /** Whether nothing of it is folded. */
    this.isWhole = pieces.isWhole;
    this.answering = new Answering(approval, { ...hooks, isWhole: pieces.isWhole, unfold: pieces.unfold });
    const clock = h("div", { class: "clock" }, this.#spoken, h("span", { "aria-hidden": "true" }, this.#left, this.#bar));
    this.title = h("h2", { id: "card-title", tabindex: -1 }, headingOf(approval));
    this.element = h("article", { class: "card", "aria-labelledby": "card-title", "data-id": approval.id },
      h("header", {},
        h("button", { class: "back", type: "button", onclick: hooks.back, "aria-label": words().list }, "‹"),
        h("div", { class: "heading" }, h("p", { class: "from" }, from(approval)), this.title),
        clock),
      h("div", { class: "content" }, about(approval), pieces.element, this.answering.panel, grant(approval), raw(approval)),
      this.answering.element);
    this.tick();
  }

  /** It went on. One that did not is left as it is, with what was begun on it. */
  update(approval) {
    if (approval === this.#approval) return;
    this.#approval = approval;
    this.answering.update(approval);
    this.tick();
  }

  /** A second passed. */
  tick() {
    const { status, createdMs, expiresMs } = this.#approval;
    const leftMs = expiresMs - now();
    mark(this.element, "data-status", status);
    mark(this.element, "data-short", status === "open" && leftMs < SHORT_MS);
    write(this.#left, status === "ended" ? "" : countdown(leftMs));
    write(this.#spoken, status === "ended" ? "" : spoken(leftMs));
    const share = Math.max(0, Math.min(1, leftMs / Math.max(1, expiresMs - createdMs)));
    this.#bar.style.setProperty("--share", status === "ended" ? 0 : share.toFixed(4));
  }
}

/** Who asks. */
export function from({ source }) {
  const t = words();
  if (source.kind === "tool") return t.fromTool(source.invocationId.slice(0, 8));
  const session = t.fromSession(visibleLine(source.sessionId).slice(0, 8));
  return source.agentId ? `${session} · ${t.agent(visibleLine(source.agentId))}` : session;
}

function about(approval) {
  const t = words();
  // The subject's first lines name the folder and the subagent in the gateway's language; what follows are remarks.
  const said = (approval.cwd ? 1 : 0) + (approval.source.agentId ? 1 : 0);
  const remarks = (approval.subject?.context ?? []).slice(said);
  // What the policy's table of programs found; a later gateway may find more than this page has words for.
  const risks = (approval.subject?.risks ?? []).filter((risk) => t.risk[risk]);
  return [
    risks.length ? h("ul", { class: "risks", "aria-label": t.risks }, risks.map((risk) => h("li", { "data-risk": risk }, `⚠ ${t.risk[risk]}`))) : null,
    approval.cwd ? h("p", { class: "folder" }, h("span", { class: "label" }, t.folder), h("code", {}, visibleLine(approval.cwd))) : null,
    remarks.length ? h("ul", { class: "remarks" }, remarks.map((remark) => h("li", {}, visible(remark)))) : null,
  ];
}

function grant(approval) {
  if (!approval.offersSession) return null;
  const text = approval.subject?.grant ?? words().grant;
  return h("p", { class: "grant", id: "grant" }, visible(text));
}
