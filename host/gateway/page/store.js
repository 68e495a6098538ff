// Every request that this page knows, as far as it got. A request only ever goes forward (open, denied, ended), so that it
// does not matter in which order lists and events tell of it, or how often.
//
// | event | detail |
// |---|---|
// | `approval` | `{id, isNew}`: came in, or went on |
// | `left` | `{id}`: ended a while ago, and is not shown any more |
// | `named` | sessions have other names |
// | `read` | everything that waits was read for the first time |

const RANK = { open: 0, denied: 1, ended: 2 };
/** How long an ended request stays in sight. */
const LINGER_MS = 6_000;

export class Store extends EventTarget {
  /** Whether everything that waits was read once: until then, an empty list says nothing. */
  isRead = false;
  /** The request that is looked at, also while another view is in sight. */
  selected = null;
  #approvals = new Map();
  #leaving = new Map();
  /** What sessions are called, by their ids: `{branch, prompt}`, as far as it is known. */
  #names = new Map();

  /** Takes the names that the gateway knows. A name that is known stays while its session does. */
  named(sessions) {
    for (const { sessionId, branch, prompt } of sessions) this.#names.set(sessionId, { branch, prompt });
    this.#emit("named");
  }

  /** Whether a request is the first of its session that this page asks a name for. */
  isNew({ source: { sessionId } }) {
    if (!sessionId || this.#names.has(sessionId)) return false;
    this.#names.set(sessionId, {});
    return true;
  }

  nameOf(sessionId) {
    return this.#names.get(sessionId);
  }

  get(id) {
    return this.#approvals.get(id);
  }

  /** What has not ended, in the order of `shown()`. */
  waiting() {
    return this.shown().filter((approval) => approval.status !== "ended");
  }

  /** What is in sight: what waits, and what has just ended; by sessions, in each oldest first. The session whose oldest request is oldest comes first. */
  shown() {
    const all = [...this.#approvals.values()].sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1));
    return [...grouped(all).values()].flat();
  }

  /** Takes what the gateway tells. Returns whether it is news. */
  put(approval) {
    const known = this.#approvals.get(approval.id);
    if (!known && approval.status === "ended") return false;
    if (known && RANK[known.status] >= RANK[approval.status] && !(known.taken === undefined && "taken" in approval)) {
      return false;
    }
    // An ended request is stored masked: what was shown stays as it was until it leaves.
    const { input, subject, shown } = known ?? approval;
    this.#approvals.set(approval.id, { ...approval, input, subject, shown });
    if (approval.status === "ended" && !this.#leaving.has(approval.id)) {
      this.#leaving.set(approval.id, setTimeout(() => this.#leave(approval.id), LINGER_MS));
    }
    this.#emit("approval", { id: approval.id, isNew: !known });
    return true;
  }

  /** After a time away: what waits according to the gateway. Returns the ids that this page thought were waiting. */
  reconcile(open) {
    const waiting = new Set(open.map((approval) => approval.id));
    open.forEach((approval) => this.put(approval));
    if (!this.isRead) {
      this.isRead = true;
      this.#emit("read");
    }
    return this.waiting().filter((approval) => !waiting.has(approval.id)).map((approval) => approval.id);
  }

  /** Forgets one that the gateway does not know. */
  forget(id) {
    this.#leave(id);
  }

  #leave(id) {
    clearTimeout(this.#leaving.get(id));
    this.#leaving.delete(id);
    if (this.#approvals.delete(id)) this.#emit("left", { id });
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** What groups requests: the session; a tool run is a group of its own. */
export function sessionOf({ source }) {
  return source.kind === "tool" ? `tool ${source.invocationId}` : source.sessionId;
}

function grouped(all) {
  const groups = new Map();
  for (const approval of all) {
    const group = groups.get(sessionOf(approval));
    if (group) group.push(approval);
    else groups.set(sessionOf(approval), [approval]);
  }
  return groups;
}
