// Colours a command line: a small tokenizer that makes spans and nothing else. It decides nothing; where it is unsure it
// leaves plain text, and every character of the command is shown whatever it takes it for.

import { h } from "./dom.js";

/** A longer text stays plain: colours are not worth a slow page. */
const LONGEST = 20_000;

const TOKENS = [
  ["space", /[ \t]+|\\\n/y],
  ["string", /\$?'[^']*'|\$?"(?:\\[^]|[^"\\])*"/y],
  ["variable", /\$\{[^}\n]*\}|\$[A-Za-z_]\w*|\$[0-9@#?*!$-]/y],
  ["operator", /\$\(|`|&&|\|\||;;|[|&;()<>\n]/y],
  ["word", /(?:\\[^]|[^\s'"$`|&;()<>\\])+/y],
];
/** After these a new command begins. */
const STARTS = new Set(["&&", "||", "|", "&", ";", ";;", "(", "$(", "`", "\n"]);
const KEYWORDS = new Set(["if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "{", "}", "!"]);
/** After these comes no command but a name. */
const NAMES = new Set(["for", "case"]);

/** The nodes that show a command. */
export function highlight(text) {
  if (text.length > LONGEST) return [text];
  return tokens(text).map(({ kind, text }) => (kind ? h("span", { class: `t-${kind}` }, text) : text));
}

/** `[{kind, text}]`; the texts are the whole command. Exported for its test. */
export function tokens(text) {
  const found = [];
  let [at, atStart, afterSpace] = [0, true, true];
  while (at < text.length) {
    let { kind, token } = next(text, at, afterSpace);
    at += token.length;
    if (kind === "word") {
      if (atStart && KEYWORDS.has(token)) [kind, atStart] = ["keyword", !NAMES.has(token)];
      else if (atStart && /^[A-Za-z_]\w*\+?=/.test(token)) kind = "variable";
      else if (atStart) [kind, atStart] = ["command", false];
      else kind = token.startsWith("-") && afterSpace ? "flag" : null;
    } else if (kind === "operator") atStart = STARTS.has(token) || atStart;
    else if (kind === "string" && afterSpace) atStart = false;
    afterSpace = kind === "space" || kind === "operator";
    found.push({ kind: kind === "space" ? null : kind, text: token });
  }
  return found;
}

function next(text, at, afterSpace) {
  if (afterSpace && text[at] === "#") {
    const end = text.indexOf("\n", at);
    return { kind: "comment", token: text.slice(at, end < 0 ? text.length : end) };
  }
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { kind, token: match[0] };
  }
  return { kind: null, token: text[at] };
}
