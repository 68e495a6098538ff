// A plan as formatted text. It is Markdown of a stranger: it becomes elements and text nodes, never HTML; a link is text with
// its address beside it, an image too; what is no Markdown stands as it is. Nothing of it is left out.

import { h } from "./dom.js";

/** Marks are looked for in lines up to this length: a longer one stands as it is. */
const MAX_LINE = 2_000;
const [ITEM, HEADING, FENCE] = [/^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/, /^(#{1,6})\s+(.*)$/, /^\s*(`{3,}|~{3,})(.*)$/];

/** A text in pieces: paragraphs, headings, lists, quotes, tables and code. */
export function formatted(text) {
  const [lines, pieces] = [text.split("\n"), []];
  let at = 0;
  const run = (test) => {
    const from = at;
    while (at < lines.length && test(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const fence = lines[at].match(FENCE);
    if (fence) {
      at += 1;
      const code = run((line) => !line.trim().startsWith(fence[1]));
      at += 1;
      pieces.push(h("pre", { tabindex: 0 }, fence[2].trim() ? h("span", { class: "label" }, `${fence[2].trim()}\n`) : null, h("code", {}, code.join("\n"))));
      continue;
    }
    const heading = lines[at].match(HEADING);
    if (heading) {
      at += 1;
      // Below the request's own heading.
      pieces.push(h(`h${Math.min(6, heading[1].length + 2)}`, {}, inline(heading[2])));
      continue;
    }
    const items = run((line) => ITEM.test(line));
    if (items.length) {
      pieces.push(h("ul", {}, items.map(item)));
      continue;
    }
    const quote = run((line) => /^\s*>/.test(line));
    if (quote.length) {
      pieces.push(h("blockquote", {}, quote.map((line) => inline(`${line.replace(/^\s*> ?/, "")}\n`))));
      continue;
    }
    const table = run((line) => /^\s*\|/.test(line));
    if (table.length) {
      pieces.push(h("pre", { tabindex: 0 }, h("code", {}, table.join("\n"))));
      continue;
    }
    const words = run((line) => line.trim() !== "" && !FENCE.test(line) && !HEADING.test(line) && !ITEM.test(line) && !/^\s*[>|]/.test(line));
    if (words.length) pieces.push(h("p", {}, inline(words.join("\n"))));
    else at += 1;
  }
  return pieces;
}

/** The first heading, or the first line, without marks: what a list calls a plan. */
export function titleOf(text) {
  const lines = text.trim().split("\n");
  const fence = lines.findIndex((line) => FENCE.test(line));
  const title = lines.slice(0, fence < 0 ? lines.length : fence).find((line) => HEADING.test(line));
  return formatted(title ?? lines[0]).map((piece) => piece.textContent).join("") || lines[0];
}

function item(line) {
  const [, indent, sign, rest] = line.match(ITEM);
  const depth = Math.min(4, Math.floor(indent.replaceAll("\t", "    ").length / 2));
  return h("li", { class: `depth-${depth}` }, h("span", { class: "sign" }, /\d/.test(sign) ? sign : "•"), h("span", {}, inline(rest)));
}

const MARKS = [["**", "strong"], ["__", "strong"], ["~~", "s"], ["*", "em"], ["_", "em"]];
// Marks count where they enclose words from outside. Those of `a/** b/**`, `a/*.o b/*.c` and `x**2` stay: they can be part of a command.
const [BEFORE, FIRST, LAST] = [/[\s([{"']/, /^[\p{L}\p{N}`]/u, /[\p{L}\p{N}`.,:;!?)%"']/u];
const AFTER = /^(?:$|\s|[.,:;!?)\]}"'](?![A-Za-z0-9])|(?![A-Za-z0-9])[\p{L}\p{N}])/u;

/** Where the mark at the start of a text is closed; -1 if it is not. */
function closed(text, sign) {
  let at = text.indexOf(sign, sign.length);
  while (at >= 0 && !(LAST.test(text[at - 1]) && AFTER.test(text.slice(at + sign.length)))) at = text.indexOf(sign, at + sign.length);
  return at;
}

/** Bold, italic, struck, code and links of one paragraph. */
function inline(text, depth = 0) {
  if (text.length > MAX_LINE) return [text];
  const found = [];
  let plain = "";
  const add = (element, length) => {
    found.push(plain, element);
    plain = "";
    return length;
  };
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    at += step(rest, text[at - 1] ?? " ");
  }
  return [...found, plain].filter((piece) => piece !== "");

  function step(rest, before) {
    const escaped = rest.match(/^\\([!-/:-@[-`{-~])/);
    if (escaped) {
      plain += escaped[1];
      return 2;
    }
    const code = rest.match(/^(`+)([^`]+)\1(?!`)/);
    if (code) return add(h("code", {}, code[2]), code[0].length);
    const link = rest.match(/^!?\[([^\][]*)\]\(([^()\s]*)\)/);
    if (link) return add([link[1], " ", h("code", {}, link[2])], link[0].length);
    for (const [sign, tag] of depth < 3 ? MARKS : []) {
      if (!rest.startsWith(sign) || !BEFORE.test(before) || !FIRST.test(rest.slice(sign.length))) continue;
      const end = closed(rest, sign);
      if (end < 0) continue;
      return add(h(tag, {}, inline(rest.slice(sign.length, end), depth + 1)), end + sign.length);
    }
    const char = String.fromCodePoint(rest.codePointAt(0));
    plain += char;
    return char.length;
  }
}
