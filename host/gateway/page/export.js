// The history as a file: CSV for spreadsheets, JSON for programs. Both are made here, of what the gateway sends.

import { summary } from "./parts.js";
import { visibleLine } from "./visible.js";

/** What a spreadsheet would take for a formula, also in its wide forms and after blanks. */
const FORMULA = /^[\s\u0000]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212]|^[\t\r\n]/;
const COLUMNS = ["id", "asked", "ended", "tool", "what", "folder", "session", "outcome", "by", "surface", "reason"];

/** CSV with a head line, in which no cell is a formula. */
export function csv(approvals) {
  return [COLUMNS, ...approvals.map(cells)].map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
}

/** The requests as the gateway sends them, without what is only for their cards. */
export function json(approvals) {
  return JSON.stringify(approvals.map(({ subject, shown, offer, offersSession, ...kept }) => kept), null, 2) + "\n";
}

/** Gives the person a file. */
export function save(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function cells(approval) {
  const { id, createdMs, endedMs, tool, cwd, source, resolution } = approval;
  const time = (ms) => (ms ? new Date(ms).toISOString() : "");
  return [id, time(createdMs), time(endedMs), tool, summary(approval), cwd, source.sessionId ?? "", resolution?.outcome ?? "", resolution?.by?.name ?? "", resolution?.by?.surface ?? "", resolution?.reason ?? ""];
}

function quoted(cell) {
  const text = visibleLine(cell);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
