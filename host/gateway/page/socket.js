// JSON-RPC 2.0 over one WebSocket that reconnects by itself.
//
// | event | detail |
// |---|---|
// | `up` | connected; nothing is subscribed to yet |
// | `down` | `{retryMs}`: lost, and when it is tried again |
// | `refused` | not paired any more, or what answers is not the gateway that this browser was paired with |
// | `told` | `{method, params}`: a notification |
//
// A call is never repeated by itself: a user who pressed "approve" while the connection was lost is told so and looks again.

import { Refused, meet } from "./handshake.js";

const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 15_000;
const CALL_MS = 20_000;
const PULSE_MS = 25_000;
/** Tells the gateway to end the session of this browser. */
const LEAVE = 4_001;

/** Why a call has no result. `code` as in the specification, or `lost` or `slow`. */
export class CallError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export class Socket extends EventTarget {
  #keys;
  #socket = null;
  #opening = false;
  #calls = new Map();
  #next = 1;
  #lost = 0;
  #timer = null;
  #closed = false;

  /** `keys` of a paired browser. */
  constructor(keys) {
    super();
    this.#keys = keys;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      this.#present();
      if (!document.hidden) this.#hurry();
    });
    setInterval(() => this.#pulse(), PULSE_MS);
  }

  get isUp() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  async open() {
    clearTimeout(this.#timer);
    if (this.#closed || this.#socket || this.#opening) return;
    this.#opening = true;
    const met = await meet(this.#keys).catch((error) => error);
    this.#opening = false;
    if (met.socket) return this.use(met.socket);
    if (this.#closed) return;
    if (!(met instanceof Refused)) return this.#down();
    this.close();
    this.#emit("refused");
  }

  /** Takes over a connection whose other end is proven to be the gateway. */
  use(socket) {
    if (this.#closed) return socket.close();
    this.#socket = socket;
    socket.onmessage = (event) => this.#socket === socket && this.#read(event.data);
    socket.onclose = () => this.#socket === socket && this.#down();
    if (!this.isUp) return this.#down();
    this.#emit("up");
    this.#present();
  }

  /** For good. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** For good, and for every tab of this browser. */
  leave() {
    this.#socket?.close(LEAVE);
    this.close();
  }

  /** Drops the connection and tries another one. */
  again() {
    this.#drop(this.#socket);
  }

  /** The subscription stands: the next loss is tried again at once. */
  settled() {
    this.#lost = 0;
  }

  call(method, params = {}) {
    if (!this.isUp) return Promise.reject(new CallError("lost", "not connected"));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(id)?.reject(new CallError("slow", "no answer in time")), CALL_MS);
      this.#calls.set(id, { resolve, reject, timer });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  #read(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (message.method) return this.#emit("told", { method: message.method, params: message.params ?? {} });
    const call = this.#end(message.id);
    if (message.error) call?.reject(new CallError(message.error.code, message.error.message, message.error.data));
    else call?.resolve(message.result);
  }

  #end(id) {
    const call = this.#calls.get(id);
    clearTimeout(call?.timer);
    this.#calls.delete(id);
    return call;
  }

  /** Gives a connection up. Nobody waits until its other end, which may be gone, agrees. */
  #drop(socket) {
    if (!socket || this.#socket !== socket) return;
    socket.close();
    this.#down();
  }

  #down() {
    this.#socket = null;
    for (const id of [...this.#calls.keys()]) this.#end(id).reject(new CallError("lost", "the connection was lost"));
    if (this.#closed) return;
    const ceiling = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#lost++);
    const retryMs = Math.round(ceiling * (0.5 + Math.random() / 2));
    this.#emit("down", { retryMs });
    this.#timer = setTimeout(() => this.open(), retryMs);
  }

  /** A phone that wakes up has often lost its connection without being told. */
  #hurry() {
    if (this.isUp) return this.#pulse();
    this.#lost = 0;
    if (!this.#socket) this.open();
  }

  #pulse() {
    if (!this.isUp) return;
    this.#present();
    const socket = this.#socket;
    this.call("approvals.list", { limit: 1 }).catch((error) => error.code === "slow" && this.#drop(socket));
  }

  /** Notices about what is in front of somebody need not be sent. An older gateway does not know the method. */
  #present() {
    if (this.isUp) this.call("presence.set", { visible: !document.hidden }).catch(() => {});
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
