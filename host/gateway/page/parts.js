// What a request is about, piece by piece. All of it can be read; what is long is folded, says how much is folded, and
// nothing can be approved before it was unfolded (answer.js).

import { h } from "./dom.js";
import { highlight } from "./highlight.js";
import { icon } from "./icons.js";
import { formatted, titleOf } from "./plan.js";
import { visible, visibleJson } from "./visible.js";
import { words } from "./words.js";

/** What is longer is folded, and so much of it stays in sight. */
const [FOLD_LINES, HEAD_LINES] = [48, 16];
const [FOLD_CHARS, HEAD_CHARS] = [6_000, 1_500];
/** The longest list or object on one line. */
const FIELD_CHARS = 160;

/** The pieces of a request: `{element, isWhole(), unfold()}`. */
export function parts(approval) {
  const folds = [];
  // Questions that can be answered are asked in their form: not a second time as JSON.
  const isAsked = ({ kind, text }) => approval.status === "open" && approval.offer?.questions.length > 0 && kind === "code" && text.startsWith("questions: [");
  const element = h("div", { class: "parts" }, approval.shown.filter((part) => !isAsked(part)).map((part) => section(part, folds)));
  return {
    element,
    isWhole: () => folds.every((fold) => fold.isOpen()),
    unfold: () => folds.forEach((fold) => fold.open()),
  };
}

/** The first line of what is asked, for lists; of a plan its heading, of a list or an object its beginning: as `Subject::line` of the gateway. */
export function summary(approval) {
  const [first] = approval.shown;
  const question = approval.offer?.questions[0]?.question;
  const field = question === undefined && first?.kind === "code" ? fieldOnOneLine(first.text) : null;
  if (field) return field;
  const text = question ?? first?.text ?? first?.lines?.find((line) => line.sign !== " ")?.text ?? "";
  const start = visible(text.slice(0, 2_000));
  const line = first?.kind === "plan" ? titleOf(start) : start.trim().split("\n")[0];
  return line.slice(0, 160);
}

/** A field that is a list or an object on one line, with `…` for what does not fit; null if the text is no such field. */
function fieldOnOneLine(text) {
  const [first, ...rest] = text.split("\n");
  if (rest.length === 0 || !/: [[{]$/.test(first)) return null;
  try {
    JSON.parse(text.slice(first.length - 1));
  } catch {
    return null;
  }
  let line = first;
  for (const next of rest) {
    line += (line.endsWith(",") ? " " : "") + next.trimStart();
    const chars = [...line.slice(0, 2 * FIELD_CHARS + 2)];
    if (chars.length > FIELD_CHARS) return visible(`${chars.slice(0, FIELD_CHARS).join("")}…`);
  }
  return visible(line);
}

/** The raw input, drawn when it is opened. */
export function raw(approval) {
  const code = h("code", {});
  const details = h("details", { class: "raw" }, h("summary", {}, words().raw), h("pre", { tabindex: 0 }, code));
  details.addEventListener("toggle", () => {
    if (details.open && !code.textContent) code.textContent = visibleJson(approval.input);
  });
  return details;
}

function section(part, folds) {
  const body = part.kind === "diff" ? diff(part.lines, folds) : text(part, folds);
  return h("section", { class: `part ${part.kind}`, "aria-label": words().part[part.kind] }, body);
}

function text({ kind, text }, folds) {
  const all = visible(text);
  const lines = all.split("\n");
  const draw = { command: highlight, plan: formatted }[kind] ?? ((some) => [some]);
  if (kind === "path") return h("p", {}, icon("file"), h("code", {}, all));
  const isPlain = kind === "text" || kind === "plan";
  const code = h(isPlain ? "div" : "code", { class: isPlain ? "prose" : null });
  const box = isPlain ? code : h("pre", { tabindex: 0 }, code);
  if (lines.length <= FOLD_LINES && all.length <= FOLD_CHARS) {
    code.append(...draw(all));
    return box;
  }
  const head = lines.slice(0, HEAD_LINES).join("\n").slice(0, HEAD_CHARS);
  const rest = all.length - head.length;
  return folded(box, code, draw(head), () => draw(all), words().fold(lines.length, rest), folds);
}

function diff(lines, folds) {
  const box = h("div", { class: "lines", tabindex: 0 });
  const draw = (some) => some.map(diffLine);
  const length = lines.reduce((sum, line) => sum + line.text.length, 0);
  if (lines.length <= HEAD_LINES || (lines.length <= FOLD_LINES && length <= FOLD_CHARS)) {
    box.append(...draw(lines));
    return box;
  }
  const rest = lines.slice(HEAD_LINES).reduce((sum, line) => sum + line.text.length + 1, 0);
  return folded(box, box, draw(lines.slice(0, HEAD_LINES)), () => draw(lines), words().fold(lines.length, rest), folds);
}

function diffLine({ sign, text }) {
  const [tag, glyph, said] = { "+": ["ins", "+", words().added], "-": ["del", "−", words().removed] }[sign] ?? ["span", " ", ""];
  return h(
    tag,
    { class: "line" },
    said && h("span", { class: "unseen" }, said),
    h("span", { class: "sign", "aria-hidden": "true" }, glyph),
    h("code", {}, visible(text)),
  );
}

function folded(box, code, head, all, label, folds) {
  code.append(...head);
  const button = h("button", { class: "unfold", type: "button", onclick: () => fold.open() }, label);
  const wrapped = h("div", { class: "folded" }, box, button);
  const fold = {
    isOpen: () => !wrapped.classList.contains("folded"),
    open() {
      if (fold.isOpen()) return;
      wrapped.classList.remove("folded");
      code.replaceChildren(...all());
      button.remove();
      box.focus({ preventScroll: true });
    },
  };
  folds.push(fold);
  return wrapped;
}
