// How a request ended: who, from where, why.

import { moment } from "./clock.js";
import { h } from "./dom.js";
import { reach } from "./reach.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** What was decided, for colours and filters. */
export const TONE = {
  approved: "good", approved_session: "good", approved_always: "good", approved_granted: "good", answered: "good", allowed_by_rule: "good",
  rejected_with_reason: "bad", rejected_no_reason: "bad", denied_by_rule: "bad",
  expired: "spent", resolved_elsewhere: "spent",
};
/** Not by colour alone. */
const GLYPH = { good: "✓", bad: "✕", spent: "○" };

const mine = new Set();

/** This page answered it. */
export function answeredHere(id) {
  mine.add(id);
}

/** `Approved`, `Denied`, ... */
export function outcome(approval) {
  if (approval.status === "denied") return words().outcome.rejected_no_reason;
  const { outcome } = approval.resolution;
  return words().outcome[outcome] ?? outcome;
}

/** `jin · Telegram`, or nobody. */
export function who(approval) {
  const by = approval.resolution?.by ?? approval.by;
  if (!by) return approval.resolution?.rule ? visibleLine(approval.resolution.rule) : "";
  if (mine.has(approval.id)) return words().you;
  return `${name(by)} · ${surface(by.surface)}`;
}

function name(by) {
  return visibleLine(by.name || by.id);
}

/** The name of a surface: of a messenger its own, with a capital letter. */
export function surface(name) {
  return words().surface[name] ?? visibleLine(name.charAt(0).toUpperCase() + name.slice(1));
}

/** One line: what, who. */
export function line(approval) {
  return [outcome(approval), who(approval)].filter(Boolean).join(" · ");
}

/** A sign and a colour. */
export function sign(approval) {
  const tone = approval.status === "denied" ? "bad" : TONE[approval.resolution.outcome] ?? "spent";
  return h("span", { class: `sign-${tone}`, "aria-hidden": "true" }, GLYPH[tone]);
}

/** The whole of it; `isPast` where nobody here could have been first. */
export function ending(approval, isPast = false) {
  const t = words();
  const { resolution } = approval;
  const isMine = mine.has(approval.id);
  const by = resolution?.by ?? approval.by;
  const first = by && !isMine && !isPast && approval.status === "ended" ? h("p", { class: "who" }, t.first(name(by), surface(by.surface))) : null;
  const why = resolution?.cause ? t.cause[resolution.cause] : null;
  return h("div", { class: "ending", "data-outcome": resolution?.outcome ?? "denied" },
    h("p", { class: "what" }, sign(approval), " ", h("strong", {}, outcome(approval)),
      isMine || (by && !first) ? ` · ${who(approval)}` : null,
      approval.endedMs ? h("time", { datetime: new Date(approval.endedMs).toISOString() }, moment(approval.endedMs)) : null),
    first,
    approval.status === "denied" ? h("p", {}, t.reasonComes) : null,
    reach(resolution?.scope),
    resolution?.reason ? h("p", { class: "why" }, h("span", { class: "label" }, resolution.reasonSource === "instead" ? t.insteadGiven : t.reasonGiven), visible(resolution.reason)) : null,
    t.reasonSource[resolution?.reasonSource] ? h("p", {}, t.reasonSource[resolution.reasonSource]) : null,
    why ? h("p", {}, why) : null,
    approval.taken === false ? h("p", { class: "untaken" }, t.untaken) : null);
}
