// The keys by which this page and its gateway know each other: our own pair, whose private half no script can read, not
// even ours, and the gateway's public key, learnt when this browser was paired.
//
// They are kept where only this origin reads. They count until the pairing ends, or the gateway was away for too long.

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGNING = { name: "ECDSA", hash: "SHA-256" };
const HMAC = { name: "HMAC", hash: "SHA-256" };
const STORE = "keys";
const PAIRED = "paired";

/** What is kept where the browser keeps nothing for us, as in some private windows: for as long as this tab. */
let inMemory = null;

/** Whether this browser lets this page have keys at all: it does over https and at the machine's own address. */
export const isPossible = Boolean(globalThis.crypto?.subtle && globalThis.indexedDB);

/** A new pair of ours. */
export async function create() {
  const pair = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
  return { pair, own: hex(await crypto.subtle.exportKey("raw", pair.publicKey)) };
}

/** `{pair, own, gateway}` of this browser, `null` where it is not paired. The keys are hexadecimal. */
export async function kept() {
  if (!isPossible) return null;
  return inMemory ?? (await store("readonly", (keys) => keys.get(PAIRED)).catch(() => null)) ?? null;
}

/** Keeps them. */
export async function keep(keys) {
  await store("readwrite", (at) => at.put(keys, PAIRED)).catch(() => (inMemory = keys));
}

/** Forgets them for good. */
export async function forget() {
  inMemory = null;
  await store("readwrite", (keys) => keys.delete(PAIRED)).catch(() => null);
}

/** Our signature. */
export async function sign({ pair }, text) {
  return hex(await crypto.subtle.sign(SIGNING, pair.privateKey, bytes(text)));
}

/** Whether the owner of a key signed a text. */
export async function signed(key, text, signature) {
  const imported = await crypto.subtle.importKey("raw", unhex(key), CURVE, false, ["verify"]);
  return crypto.subtle.verify(SIGNING, imported, unhex(signature), bytes(text));
}

/** What proves that we know a code. Small letters, blanks and dashes do not matter. */
export async function mac(code, text) {
  return hex(await crypto.subtle.sign(HMAC, await secret(code), bytes(text)));
}

/** Whether it proves that the other side knows the code. */
export async function isMac(code, text, shown) {
  return crypto.subtle.verify(HMAC, await secret(code), unhex(shown), bytes(text));
}

/** 32 random bytes. */
export function random() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

function secret(code) {
  // A key of no length is an error, and no code has one.
  const letters = code.replace(/[\s-]/g, "").toUpperCase() || "-";
  return crypto.subtle.importKey("raw", bytes(letters), HMAC, false, ["sign", "verify"]);
}

function bytes(text) {
  return new TextEncoder().encode(text);
}

function hex(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unhex(text) {
  return Uint8Array.from(String(text).match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

async function store(mode, work) {
  const database = await done(indexedDB.open("dmplz", 1), (request) => request.result.createObjectStore(STORE));
  try {
    return await done(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function done(request, upgrade) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    if (upgrade) request.onupgradeneeded = () => upgrade(request);
  });
}
