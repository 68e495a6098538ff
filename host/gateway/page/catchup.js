// What the page missed: everything that waits now, and what became of that which does not wait any more.

const PAGE = 200;
/** More open requests than these pages have are not loaded: the list counts what it has. */
const MAX_PAGES = 20;
/** The gateway does not know the request. */
const UNKNOWN = -32001;

/** Brings the store up to date. Throws where the connection is lost meanwhile. */
export async function catchUp(store, socket) {
  const open = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const before = open.at(-1)?.id;
    const { approvals } = await socket.call("approvals.list", { status: "open", limit: PAGE, ...(before && { before }) });
    open.push(...approvals);
    // A page may be shorter than was asked for, where requests are long: only an empty one is the last.
    if (approvals.length === 0) break;
  }
  // The list begins with the newest; what has waited longest comes first here.
  for (const id of store.reconcile(open.reverse())) {
    try {
      store.put((await socket.call("approvals.get", { id })).approval);
    } catch (error) {
      if (error.code === "lost" || error.code === "slow") throw error;
      // Any other failure, such as too many calls, says nothing of the request: it stays.
      if (error.code === UNKNOWN) store.forget(id);
    }
  }
}
