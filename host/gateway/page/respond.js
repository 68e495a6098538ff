// Sends an answer to a request, and says what came of it.

import { say } from "./announce.js";
import { answeredHere, line } from "./ending.js";
import { headingOf } from "./heading.js";
import { words } from "./words.js";

/** The code of an error: the disk failed. */
const NOT_RECORDED = -32005;

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
    // A denial counts also where it could not be saved.
    const isUnsaved = error.code === NOT_RECORDED && answer.decision === "deny";
    const why = t.failure[isUnsaved ? "unsavedDenial" : error.data?.refusal] ?? t.failure[error.code];
    say(why ?? t.failed(error.message ?? ""), "bad");
    return false;
  }
}
