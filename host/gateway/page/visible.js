// Text of strangers, made safe to look at: what a screen would hide, obey or reorder is written out. The gateway does
// the same before it sends; this is for what it sends as it came (folders, names, raw input).

const UNSEEN = new RegExp(
  "(?<=\\p{Emoji}[\\u{1f3fb}-\\u{1f3ff}\\ufe0f]*)([\\u200d\\ufe0f])|" +
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u030a\\u0333\\u033f\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ue000-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0" +
    "\\ufff0-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}\\p{Cs}]",
  "gu",
);

/** Makes all of a text visible; line feeds and tabs stay. */
export function visible(text) {
  return String(text ?? "").replaceAll("\r\n", "\n").replace(UNSEEN, (char, joiner) => joiner ?? written(char));
}

/** The same on one line. */
export function visibleLine(text) {
  return visible(String(text ?? "").replace(/[\r\n]+$/, "")).replaceAll("\n", "␊").replaceAll("\t", "␉");
}

/** JSON in which nothing is hidden, and which is still JSON. */
export function visibleJson(value) {
  const escaped = (char) => [...Array(char.length).keys()].map((at) => unit(char.charCodeAt(at))).join("");
  return JSON.stringify(value, null, 2).replace(UNSEEN, (char, joiner) => joiner ?? escaped(char));
}

function unit(code) {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

function written(char) {
  const code = char.codePointAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
