// How far an approval reaches, in words.

import { h } from "./dom.js";
import { visible, visibleLine } from "./visible.js";
import { words } from "./words.js";

/** `this project (just you)`, ... */
export function scopeName(scope) {
  return words().scope[scope] ?? visibleLine(scope);
}

/** The file where the client stores it. */
export function fileOf(scope) {
  return words().scopeFile[scope] ?? "";
}

/** What went with an approval, as elements; nothing where it was for once. */
export function reach(scope) {
  const t = words().reach;
  switch (scope?.kind) {
    case "always":
      return h("p", { class: "reach" }, t.always(scopeName(scope.scope), fileOf(scope.scope)), scope.broad ? ` ${t.broad}` : null);
    case "plan":
      return h("p", { class: "reach" }, t.plan[scope.edits] ?? "");
    case "granted":
      return h("p", { class: "reach" }, t.granted[scope.term] ?? "");
    case "answers":
      return answers(scope.answers.map(({ question, labels, text }) => [question, [...labels, ...(text ? [text] : [])]]));
    default:
      return null;
  }
}

/** Questions with what was answered. */
export function answers(pairs) {
  return h("dl", { class: "answers" }, pairs.map(([question, said]) => [
    h("dt", {}, visible(question)),
    said.length ? said.map((one) => h("dd", {}, visible(one))) : h("dd", { class: "none" }, words().ask.unanswered),
  ]));
}
