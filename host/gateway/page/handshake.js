// What comes first on a WebSocket: this page and the gateway prove to each other who they are (host/gateway/src/web/handshake.rs).
//
// While the gateway is down, another program may hold its port. It cannot sign as the gateway, so it gets nothing but random
// numbers and public keys, and nothing that it shows is taken for a request.

import { setServerTime } from "./clock.js";
import { isMac, mac, random, sign, signed } from "./identity.js";

const PATIENCE_MS = 10_000;

/**
 * Why nobody is let in. `why` is `unpaired` (the gateway does not know this browser), `wrong_code`, or `stranger` (what
 * answers is not the gateway that this browser was paired with, or it has forgotten its pairings).
 */
export class Refused extends Error {
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/**
 * Opens a WebSocket to the gateway: by the keys of a paired browser, or by new ones and a code. Returns the socket, the
 * gateway's welcome and the keys that count from now on. Throws `Refused`, or another error where no connection came about.
 */
export async function meet(keys, code = null) {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
  // The key, which is public, sets a paired browser apart from strangers before it proves anything.
  const socket = new WebSocket(address, code === null ? ["dmplz", `key.${keys.own}`] : ["dmplz"]);
  const timer = setTimeout(() => socket.close(), PATIENCE_MS);
  try {
    const met = await greet(socket, frames(socket), keys, code);
    return { socket, ...met };
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function greet(socket, next, keys, code) {
  await next();
  const nonce = random();
  say(socket, { hello: { nonce, key: keys.own } });
  const { challenge } = await next();
  // Who pairs learns the gateway's key; it counts once the gateway has proved that it knows the code as well.
  const gateway = String(code === null ? keys.gateway : challenge.key);
  const text = (what) => [`dmplz ${what}`, location.origin, nonce, challenge.nonce, keys.own, gateway].join("\n");
  if (code === null) {
    if (!(await signed(gateway, text("gateway proves"), challenge.signature))) throw new Refused("stranger");
    say(socket, { prove: { signature: await sign(keys, text("page proves")) } });
  } else {
    say(socket, { pair: { mac: await mac(code, text("page pairs")) } });
  }
  const { welcome, refused } = await next();
  if (refused) throw new Refused(refused.why);
  if (code !== null && !(await isMac(code, text("gateway pairs"), welcome.mac))) throw new Refused("stranger");
  // At each connection, since both clocks may be set in between.
  setServerTime(welcome.nowMs);
  return { welcome, keys: { ...keys, gateway } };
}

function say(socket, frame) {
  socket.send(JSON.stringify(frame));
}

/** Reads one frame after another; the first of them is the opening. An end is an error. */
function frames(socket) {
  const [heard, waiting] = [[], []];
  const tell = (one) => (waiting.length ? waiting.shift()(one) : heard.push(one));
  socket.onopen = () => tell({});
  socket.onmessage = ({ data }) => tell(data);
  socket.onclose = () => tell(new Error("the connection was lost"));
  return async () => {
    const one = heard.length ? heard.shift() : await new Promise((resolve) => waiting.push(resolve));
    if (one instanceof Error) throw one;
    return typeof one === "string" ? JSON.parse(one) : one;
  };
}
