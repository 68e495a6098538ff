// JSON as bytes and back. QuickJS has neither TextEncoder nor TextDecoder, and its JSON.parse takes values of any depth, which
// exhaust the stack. The limits keep a faulty server from costing the instance.

const BYTES = 256 * 1024;
const DEPTH = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** Returns a value as UTF-8. */
export function encode(value) {
  const bytes = [];
  for (const character of JSON.stringify(value)) {
    const code = character.codePointAt(0);
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), last(code, 0));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), last(code, 6), last(code, 0));
    else bytes.push(0xf0 | (code >> 18), last(code, 12), last(code, 6), last(code, 0));
  }
  return new Uint8Array(bytes);
}

const last = (code, shift) => 0x80 | ((code >> shift) & 0x3f);

/** Returns the value of UTF-8. Throws if it is no JSON, too long or too deep. */
export function decode(bytes) {
  check(bytes);
  // The contract carries Unicode alone: half of a surrogate pair would end the instance.
  return JSON.parse(text(bytes), (_key, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

/** Returns the text of UTF-8. Throws a `URIError` if it is none. */
export function text(bytes) {
  let escaped = "";
  for (const byte of bytes) escaped += "%" + byte.toString(16).padStart(2, "0");
  return decodeURIComponent(escaped);
}

function check(bytes) {
  if (bytes.length > BYTES) throw new RangeError("too long");
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && OPENING.includes(byte)) depth++;
    else if (!quoted && CLOSING.includes(byte)) depth--;
    if (depth > DEPTH) throw new SyntaxError("nested too deeply");
  }
}
