// Sends an answer to a request, and says what came of it.

import { say } from "./announce.js";
import { answeredHere, line } from "./ending.js";
import { headingOf } from "./heading.js";
import { words } from "./words.js";

/** Returns whether it was taken. */
export async function respond(socket, store, id, answer) {
  const t = words();
  try {
    const { approval } = await socket.call("approval.respond", { id, ...answer });
    answeredHere(id);
    store.put(approval);
    say(t.done(line(approval), headingOf(approval)), answer.decision === "deny" ? "" : "good");
    return true;
  } catch (error) {
    const standing = error.data?.approval ?? error.data;
    if (standing?.id === id) store.put(standing);
    say(t.failure[error.code] ?? t.failed(error.message ?? ""), "bad");
    return false;
  }
}
