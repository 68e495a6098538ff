// What happens before there is a WebSocket: who we are, pairing, leaving.

/** The session, `null` where this browser is not paired. Throws where the gateway cannot be reached. */
export async function session() {
  const response = await fetch("/api/v1/session", { headers: { accept: "application/json" }, cache: "no-store" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`session: ${response.status}`);
  return { ...(await response.json()), serverMs: Date.parse(response.headers.get("date") ?? "") || null };
}

/** Pairs this browser. Returns `ok`, `wrong` or `slow` (too many tries). */
export async function pair(code) {
  const response = await post("/api/v1/pair", { code });
  if (response.ok) return "ok";
  if (response.status === 429) return "slow";
  if (response.status < 500) return "wrong";
  throw new Error(`pair: ${response.status}`);
}

/** Ends the session of this browser. */
export async function logout() {
  await post("/api/v1/logout", {});
}

function post(path, body) {
  return fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}
