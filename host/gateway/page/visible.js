// Text of strangers, made safe to look at: what a screen would hide, obey or reorder is written out. The gateway does
// the same before it sends; this is for what it sends as it came (folders, names, raw input).

const DECEPTIVE =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u030a\\u0333\\u033f\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
  "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ue000-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0" +
  "\\ufff0-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}\\p{Cs}]";
const DECEIVES = new RegExp(DECEPTIVE, "u");
// A pictograph with all joiners, selectors and skin tones behind it is one match, so that no text takes longer than its length.
const UNSEEN = new RegExp(
  `([#*0-9\\u00a9\\u00ae\\u203c-\\u3299\\u{1f000}-\\u{1f3fa}\\u{1f400}-\\u{1faff}])([\\u200d\\ufe0f\\u{1f3fb}-\\u{1f3ff}]+)|${DECEPTIVE}`,
  "gu",
);

/** Makes all of a text visible; line feeds and tabs stay. */
export function visible(text) {
  return shown(String(text ?? "").replaceAll("\r\n", "\n"), written);
}

/** The same on one line. */
export function visibleLine(text) {
  const whole = String(text ?? "");
  let end = whole.length;
  while (end > 0 && "\r\n".includes(whole[end - 1])) end -= 1;
  return visible(whole.slice(0, end)).replaceAll("\n", "␊").replaceAll("\t", "␉");
}

/** JSON in which nothing is hidden, and which is still JSON. */
export function visibleJson(value) {
  const escaped = (char) => [...Array(char.length).keys()].map((at) => unit(char.charCodeAt(at))).join("");
  return shown(JSON.stringify(value, null, 2), escaped);
}

/** The text with what deceives as `write` writes it. Selectors stay behind a pictograph, and joiners unless it is ASCII, such as a digit. */
function shown(text, write) {
  return text.replace(UNSEEN, (match, pictograph, behind) => {
    if (pictograph === undefined) return write(match);
    const first = DECEIVES.test(pictograph) ? write(pictograph) : pictograph;
    return first + (pictograph < "\u0080" ? behind.replaceAll("\u200d", write) : behind);
  });
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
