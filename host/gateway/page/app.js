// The page: pairs this browser, keeps the connection, shows one view at a time.

import { catchUp } from "./catchup.js";
import { Grants } from "./granted.js";
import { Refused, meet } from "./handshake.js";
import { forget, kept } from "./identity.js";
import { connecting, pairing } from "./pairing.js";
import { install, renew, turnOff } from "./push.js";
import { Shell } from "./shell.js";
import { Socket } from "./socket.js";
import { Store } from "./store.js";
import { RunLog } from "./runs.js";
import { SessionLog } from "./sessionlog.js";
import { suggest } from "./words.js";

const TYPES = [
  "approval.requested", "approval.denied", "approval.resolved", "approval.taken", "grant.made", "grant.revoked", "grant.ended", "tool.started", "tool.output", "tool.finished",
  "session.event", "session.partial", "session.changed",
  "messenger.unreachable", "messenger.reachable",
];

/** The request that a notice leads to. */
let wanted = /^#[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(location.hash) ? location.hash.slice(1) : null;
/** The code of a pairing link. It stands in the fragment, which no request contains, and leaves the address at once. */
let code = /^#pair=([0-9A-Za-z-]{12,20})$/.exec(location.hash)?.[1] ?? null;
/** Whether the address is that of the settings. */
let isOfSettings = location.pathname === "/settings/notifications";
// The address of a pairing is for one pairing.
if (location.search || location.hash || isOfSettings) history.replaceState(null, "", "/");

const root = document.getElementById("app");

/** Runs until this browser is not paired any more. */
async function run() {
  const { socket: first, welcome: me, keys } = await known();
  suggest(me.lang);
  const socket = new Socket(keys);
  const store = new Store();
  const shell = new Shell(root, me, store, socket, new RunLog(store, socket), new Grants(socket), new SessionLog(socket));
  if (wanted) shell.open(wanted);
  else if (isOfSettings) shell.go("settings");
  [wanted, isOfSettings] = [null, false];
  install();
  // An older gateway does not know the method.
  const names = () => socket.call("approvals.sessions").then(({ sessions }) => store.named(sessions), () => null);
  let lastEventId = null;
  socket.addEventListener("told", ({ detail: { method, params } }) => {
    if (params.eventId) lastEventId = Math.max(lastEventId ?? 0, params.eventId);
    if (method === "approval.taken") taken(store, params);
    else if (params.approval) store.put(params.approval);
    // Asked once for each session: a burst of requests is no burst of calls.
    if (method === "approval.requested" && store.isNew(params.approval)) names();
  });
  socket.addEventListener("up", async () => {
    try {
      const from = lastEventId;
      const subscribed = await socket.call("events.subscribe", { types: TYPES, ...(from !== null && { after: from }) });
      // Events in between are still on their way: they count only once they are here.
      if (from === null) lastEventId ??= subscribed.lastEventId;
      await catchUp(store, socket);
      socket.settled();
      socket.dispatchEvent(new Event("settled"));
      renew(socket);
      names();
    } catch (error) {
      // Refused, so what this page remembers is of no use; or lost again.
      if (typeof error.code === "number") lastEventId = null;
      socket.again();
    }
  });
  const ended = new Promise((done) => {
    socket.addEventListener("refused", done, { once: true });
    shell.addEventListener("logout", () => Promise.allSettled([turnOff(null), forget()]).then(done), { once: true });
  });
  socket.use(first);
  await ended;
  socket.leave();
  shell.leave();
}

/** A connection to the gateway: pairs if need be, and waits for the gateway as long as it takes. */
async function known() {
  let [why, failed] = [null, null];
  suggest(null);
  for (let wait = 500; ; wait = Math.min(wait * 2, 10_000)) {
    const keys = await kept();
    if (!keys) {
      const once = code;
      code = null;
      return pairing(root, why, once);
    }
    failed ??= connecting(root);
    try {
      return await meet(keys);
    } catch (error) {
      if (!(error instanceof Refused)) {
        failed();
        await new Promise((done) => setTimeout(done, wait));
        continue;
      }
      // The pairing was ended, or the gateway was away for too long: it takes these keys no more.
      why = error.why;
      await forget();
    }
  }
}

function taken(store, { requestId, taken }) {
  const approval = store.get(requestId);
  if (approval?.status === "ended") store.put({ ...approval, taken });
}

for (;;) await run();
