// @discordjs/rest, through the API classes of @discordjs/core.
import { API } from "@discordjs/core/http-only";
import { DiscordAPIError, HTTPError, REST } from "@discordjs/rest";
import { check, fake, human } from "./human.mjs";

const root = fake.base_url.replace("/v10", "");
const rest = new REST({ api: root, version: "10", retries: 1 }).setToken(fake.token);
const api = new API(rest);
const fails = (call) => call.then(() => undefined, (error) => error);
const channel = fake.channel;

check("users/@me", (await api.users.getCurrent()).bot);
check("applications/@me", (await api.applications.getCurrent()).flags === 1 << 19);
check("the channel", (await api.channels.get(channel)).name === "approvals");
check("the bot as a member", (await api.users.getGuildMember(fake.guild)).roles.length === 1);
const card = await api.channels.createMessage(channel, { content: "rm?", allowed_mentions: { parse: [] }, nonce: "n-1", enforce_nonce: true });
const again = await api.channels.createMessage(channel, { content: "rm?", nonce: "n-1", enforce_nonce: true });
check("an enforced nonce creates one message", card.id === again.id);
for (const emoji of ["✅", "🔄", "❌"]) await api.channels.addMessageReaction(channel, card.id, emoji);
await human("react", { message: card.id, emoji: "❌" });
const users = await api.channels.getMessageReactions(channel, card.id, "❌", { limit: 10 });
check("who reacted", users.some((user) => user.id === fake.user));
await api.channels.deleteUserMessageReaction(channel, card.id, "❌", fake.user);
await api.channels.deleteOwnMessageReaction(channel, card.id, "✅");
await api.channels.deleteAllMessageReactionsForEmoji(channel, card.id, "🔄");
check("reactions removed", (await api.channels.getMessage(channel, card.id)).reactions.length === 1);
await api.channels.deleteAllMessageReactions(channel, card.id);
check("an edit", (await api.channels.editMessage(channel, card.id, { content: "denied" })).content === "denied");
const file = await api.channels.createMessage(channel, {
  content: "see",
  message_reference: { message_id: card.id },
  files: [{ name: "plan.md", data: Buffer.alloc(300), contentType: "text/markdown" }],
  attachments: [{ id: 0, filename: "plan.md", description: "a plan" }],
});
check("a file", file.attachments[0].size === 300 && file.attachments[0].description === "a plan");
check("that is a reply", file.referenced_message.id === card.id && file.type === 19);
await human("say", { text: "because" });
const heard = await api.channels.getMessages(channel, { after: file.id, limit: 5 });
check("messages after one", heard.length === 1 && heard[0].content === "because");
await api.channels.showTyping(channel);
const direct = await api.users.createDM(fake.user);
check("a direct channel", direct.type === 1 && direct.recipients[0].id === fake.user);
await api.channels.createMessage(direct.id, { content: "psst" });
await api.channels.deleteMessage(channel, file.id);
const gone = await fails(api.channels.getMessage(channel, file.id));
check("a deleted message is 10008", gone instanceof DiscordAPIError && gone.code === 10008);
const call = "POST /channels/{channel_id}/messages";
await human("fail", { call, fault: "limited" });
check("429 is waited out", (await api.channels.createMessage(channel, { content: "later" })).content === "later");
await human("fail", { call, fault: "403" });
check("403", (await fails(api.channels.createMessage(channel, { content: "x" }))).status === 403);
await human("fail", { call, fault: "html", times: 2 });
check("502", (await fails(api.channels.createMessage(channel, { content: "x" }))) instanceof HTTPError);
const stranger = new API(new REST({ api: root, version: "10" }).setToken("wrong"));
check("a wrong token is 401", (await fails(stranger.users.getCurrent())).status === 401);
const violations = await human("violations");
console.log("   ", violations);
check("no violation of the schema", violations.length === 0);
