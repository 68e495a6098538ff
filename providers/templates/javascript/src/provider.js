// A provider of dmplz for Acme, an imaginary messenger. Replace it with yours: `server` sends HTTP requests, `card` formats
// cards, and `manifest` describes the provider.
//
// | request | what it does |
// |---|---|
// | `GET /me` | returns the bot's account |
// | `POST /rooms/ROOM/messages` | posts a message |
// | `PUT /messages/ID` | edits it |
// | `GET /events?after=CURSOR` | returns what people pressed and wrote since |
// | `POST /presses/PRESS` | shows a notice to the person who pressed |

import { shown } from "./card.js";
import { manifest } from "./manifest.js";
import { call, connectTo } from "./server.js";

const escaped = encodeURIComponent;

export const provider = {
  describe: () => manifest,

  connect(settings, _transport) {
    connectTo(settings);
  },

  open(chat) {
    // Other people than the listed ones may be in a room.
    return { id: chat.val, owner: null };
  },

  diagnose(_chat) {
    const bot = call("get", "/me");
    const loggedIn = { subject: "events", ok: true, detail: "the server knows the token" };
    return { bot: { id: string(bot?.id), name: string(bot?.name) }, checks: [loggedIn] };
  },

  // Nobody can write to this bot first, so the operator names the room.
  introduce: (_code) => null,
  meet: (cursor, _wait) => ({ greetings: [], cursor }),

  post(chat, card) {
    const posted = message(chat.id, call("post", `/rooms/${escaped(chat.id)}/messages`, shown(card)));
    if (posted === null) throw { tag: "unavailable", val: "a message without id or number" };
    return posted;
  },

  revise(message, card) {
    call("put", `/messages/${escaped(message.id)}`, shown(card));
  },

  receive(cursor, _watching, _wait) {
    const happened = call("get", `/events?after=${escaped(cursor)}`);
    const found = Array.isArray(happened?.events) ? happened.events : [];
    // An unreadable event is skipped, so that it does not hide the events after it.
    return { events: found.map(event).filter((it) => it !== null), cursor: string(happened?.next) || cursor };
  },

  // The messenger has no threads, commands, files and drafts, as the manifest says.
  openThread: (_chat, _name) => null,
  setThread() {},
  setCommands() {},
  locate(_file) {
    throw { tag: "not-found" };
  },

  draft() {},

  acknowledge(event, notice) {
    call("post", `/presses/${escaped(event.token)}`, { text: notice ?? "" });
  },
};

/** Returns the reference of a message; null where it has none. */
function message(room, posted) {
  const whole = Number.isSafeInteger(posted?.number) && posted.number >= 0;
  return whole && typeof posted.id === "string" ? { chat: room, id: posted.id, sequence: posted.number } : null;
}

/** Returns the event of a person's input; null for anything else. The host decides whether they may answer. */
function event(it) {
  const place = typeof it?.room === "string" ? message(it.room, it.message) : null;
  const by = it?.user;
  if (place === null || typeof by?.id !== "string") return null;
  const user = { id: by.id, name: string(by.name), isBot: by.bot === true };
  if (typeof it.button === "string" && typeof it.press === "string") {
    const tag = typeof it.nonce === "string" ? it.nonce : null;
    return { tag: "chosen", val: { message: place, tag, choice: it.button, user, token: it.press, text: null } };
  }
  if (typeof it.text !== "string") return null;
  return { tag: "said", val: { message: place, replyTo: null, user, text: it.text, files: [] } };
}

const string = (value) => (typeof value === "string" ? value : "");
