// Formats a card. The server takes plain text, so nothing in it can become markup.

import { TEXT } from "./manifest.js";

/**
 * Returns a message that shows a card. A card that does not fit is refused before anything is sent, and the host then posts
 * less text.
 */
export function shown(card) {
  // The manifest says that there are no files.
  if (card.body.some((block) => block.tag === "file")) throw { tag: "too-large" };
  const lines = [card.title, ...card.body.map((block) => block.val)];
  const text = lines.filter((line, index) => index > 0 || line !== "").join("\n");
  if (text.length > TEXT) throw { tag: "too-large" };
  // A card without choices has ended: it has no buttons.
  const buttons = card.choices.map(({ id, label }) => ({ id, label }));
  return { text, nonce: card.tag, buttons };
}
