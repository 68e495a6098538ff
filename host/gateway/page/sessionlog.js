// The sessions that the gateway runs, as long as the page lives.
//
// | event | detail |
// |---|---|
// | `changed` | the list, or a session in it |
// | `happened` | `{id, happened}`: a session did something |
// | `writes` | `{id, from, text}`: its agent is writing a text; `from` says how much of it was told before |

import { say } from "./announce.js";
import { soon } from "./soon.js";
import { words } from "./words.js";

export class SessionLog extends EventTarget {
  /** Every session that is known, newest first. */
  sessions = [];
  /** The folders where one may be started from here, and those below them. */
  folders = [];
  /** The modes in which nobody is asked that can be set, once somebody confirms it elsewhere. */
  modes = [];
  /** The session that is looked at, or `new`. */
  selected = null;
  #socket;
  #asked = 0;

  constructor(socket) {
    super();
    this.#socket = socket;
    socket.addEventListener("settled", soon(() => this.#read()));
    socket.addEventListener("told", ({ detail: { method, params } }) => {
      if (method === "session.changed") this.#put(params.session);
      if (method === "session.partial") this.dispatchEvent(new CustomEvent("writes", { detail: { id: params.sessionId, from: params.from, text: params.text } }));
      if (method === "session.event") this.dispatchEvent(new CustomEvent("happened", { detail: { id: params.sessionId, happened: params.happened } }));
    });
  }

  get(id) {
    return this.sessions.find((session) => session.id === id);
  }

  /** Calls a method, and says why where that fails. The result, or null. */
  async call(method, params) {
    try {
      return await this.#socket.call(method, params);
    } catch (error) {
      const t = words();
      say(t.led.failure[error.code] ?? t.failed(error.message ?? ""), "bad");
      return null;
    }
  }

  /** A session with what it did lately; null where that cannot be had now. */
  async read(id) {
    const one = await this.#socket.call("session.get", { id }).catch(() => null);
    if (one) this.#put(one.session);
    return one;
  }

  async #read() {
    const asked = (this.#asked += 1);
    // A gateway without sessions knows no such method; a lost connection is told elsewhere.
    const listed = await this.#socket.call("session.list").catch(() => null);
    if (!listed || asked !== this.#asked) return;
    [this.sessions, this.folders, this.modes] = [listed.sessions, listed.folders, listed.modes ?? []];
    this.dispatchEvent(new Event("changed"));
  }

  #put(session) {
    const others = this.sessions.filter(({ id }) => id !== session.id);
    this.sessions = [session, ...others].sort((a, b) => b.createdMs - a.createdMs);
    this.dispatchEvent(new Event("changed"));
  }
}
