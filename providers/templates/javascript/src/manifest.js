// The manifest of the provider. The operator sets DMPLZ_ACME_TOKEN, DMPLZ_ACME_ROOM and, for another than the default server,
// DMPLZ_ACME_SERVER.

/** The maximum length of a message in UTF-16 units, which is how JavaScript counts too. State the source of the limit. */
export const TEXT = 4000;

export const manifest = {
  name: "acme",
  version: "0.1.0",
  settings: [
    {
      name: "server",
      help: { en: "The URL of the server.", ko: "서버의 URL입니다." },
      kind: "url",
      required: false,
      default: "https://chat.acme.example",
    },
  ],
  secrets: [
    {
      name: "token",
      help: { en: "The bot's token.", ko: "봇의 토큰입니다." },
      required: true,
      origins: ["{setting:server}"],
      places: [{ tag: "header", val: { name: "authorization", value: "Bearer {secret:token}" } }],
    },
  ],
  chats: [
    { name: "room", help: { en: "The id of the room to ask in.", ko: "물어볼 방의 id입니다." }, kind: "room" },
  ],
  users: "identified",
  origins: ["{setting:server}"],
  transports: [
    {
      name: "polling",
      help: "Asks the server every second what happened.",
      limits: { text: TEXT, choices: 10, attachment: 0, notice: 200 },
      answering: "buttons",
      pollInterval: 1000,
      pressesKept: undefined,
      persistent: false,
      readsChat: true,
      threads: false,
      commands: false,
      files: false,
      drafts: false,
    },
  ],
};
