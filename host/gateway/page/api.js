// What happens before there is a WebSocket: who we are, pairing, leaving.
//
// The browser shows our cookie to every port of this machine, so it counts only together with the key, which is kept where
// no other origin reads.

const KEY = "dmplz-key";

/** The subprotocols with which a WebSocket is opened. */
export function protocols() {
  const key = localStorage.getItem(KEY);
  return key ? ["dmplz", `dmplz-key.${key}`] : ["dmplz"];
}

/** The session, `null` where this browser is not paired. Throws where the gateway cannot be reached. */
export async function session() {
  const response = await fetch("/api/v1/session", { headers: { accept: "application/json", ...shown() }, cache: "no-store" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`session: ${response.status}`);
  return { ...(await response.json()), serverMs: Date.parse(response.headers.get("date") ?? "") || null };
}

/** Pairs this browser. Returns `ok`, `wrong` or `slow` (too many tries). */
export async function pair(code) {
  const response = await post("/api/v1/pair", { code });
  if (response.ok) {
    localStorage.setItem(KEY, (await response.json()).key);
    return "ok";
  }
  if (response.status === 429) return "slow";
  if (response.status < 500) return "wrong";
  throw new Error(`pair: ${response.status}`);
}

/** Ends the session of this browser. */
export async function logout() {
  await post("/api/v1/logout", {});
  localStorage.removeItem(KEY);
}

function post(path, body) {
  const headers = { "content-type": "application/json", ...shown() };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
}

function shown() {
  const key = localStorage.getItem(KEY);
  return key ? { "x-dmplz-key": key } : {};
}
