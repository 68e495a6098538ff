// discord.js over its gateway: a bot that answers presses by all the ways there are.
import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, EmbedBuilder, Events, MessageFlags, ModalBuilder,
  TextInputBuilder, TextInputStyle } from "discord.js";
import { check, fake, human } from "./human.mjs";

const client = new Client({ intents: [], rest: { api: fake.base_url.replace("/v10", "") } });
const button = (id, style) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(style);
const buttons = [
  new ActionRowBuilder().addComponents(button("Approve", ButtonStyle.Success), button("Deny", ButtonStyle.Danger).setEmoji("❌")),
  new ActionRowBuilder().addComponents(button("Tell", ButtonStyle.Secondary), button("Think", ButtonStyle.Secondary)),
];
const input = new TextInputBuilder().setCustomId("instead").setLabel("Instead").setStyle(TextInputStyle.Paragraph).setMaxLength(300);
const modal = new ModalBuilder().setCustomId("modal").setTitle("Tell Claude").addComponents(new ActionRowBuilder().addComponents(input));

client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isModalSubmit()) return interaction.update({ content: `told: ${interaction.fields.getTextInputValue("instead")}` });
  switch (interaction.customId) {
    case "Approve":
      await interaction.deferUpdate();
      return interaction.editReply({ content: "approved", embeds: [] });
    case "Deny":
      await interaction.reply({ content: "only you may read this", flags: MessageFlags.Ephemeral });
      return interaction.followUp({ content: "and this", flags: MessageFlags.Ephemeral });
    case "Tell":
      return interaction.showModal(modal);
    case "Think":
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      return interaction.editReply("thought");
  }
});
let resumed = 0;
client.on(Events.ShardResume, () => resumed++);

await human("heartbeat", { ms: 300 });
const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
await client.login(fake.token);
await ready;
check("login and READY without intents", JSON.stringify(await human("sessions")) === '[{"connected":true,"intents":0,"resumes":0}]');
const channel = await client.channels.fetch(fake.channel, { allowUnknownGuild: true });
const embed = new EmbedBuilder().setTitle("Bash").setDescription("rm -rf /tmp/x").setColor(0xff0000).addFields({ name: "Folder", value: "/work" });
const card = await channel.send({ content: "rm?", embeds: [embed], components: buttons, allowedMentions: { parse: [] } });
const shown = await human("await", { text: "rm?" });
check("a card with an embed and rows of buttons",
  JSON.stringify(shown.buttons) === '[["Approve","Deny"],["Tell","Think"]]' && shown.embeds[0].title === "Bash");

const pressed = (name) => human("press", { message: card.id, button: name });
const response = ({ interaction }) => human("response", { interaction });
let seen = await response(await pressed("Approve"));
check(`a press is answered by a deferred update, in ${seen.milliseconds.toFixed(1)} ms`, seen.kind === "deferred update");
const edited = await human("await", { text: "approved" });
check("and the card is edited", edited.message === card.id && edited.embeds.length === 0);
let press = await pressed("Deny");
check("a press is answered by an ephemeral message", (await response(press)).kind === "message");
check("with another behind it", (await human("whisper", { ...press, text: "and this" })).whisper === "and this");
check("which are in no channel", (await human("messages")).length === 1);
press = await pressed("Tell");
seen = await response(press);
check("a press opens a modal", seen.modal.title === "Tell Claude" && seen.modal.fields[0].max === 300);
const submitted = await human("submit", { ...press, field: "Instead", text: "look first" });
check("that is submitted, and answered by an update", (await response(submitted)).kind === "update");
check("with its text", (await human("await", { text: "told: look first" })).message === card.id);
press = await pressed("Think");
check("a press is answered by a deferred message", (await response(press)).kind === "deferred message");
check("that comes", (await human("whisper", { ...press, text: "thought" })).whisper === "thought");

let times = 0;
for (const [what, act, query] of [["a line that is cut", "cut"], ["op 7", "reconnect"], ["op 9 that may be resumed", "invalidate", { resumable: true }],
  ["a close with 4000", "close"], ["a heartbeat that is not acknowledged", "acks"]]) {
  await human(act, query);
  const inTheGap = act === "cut" || act === "close";
  // The press falls into the gap: it has to be replayed, if the line is not back already.
  if (inTheGap) press = await pressed("Approve");
  check(`${what} is followed by a RESUME`, await human("resumed", { times: ++times }));
  await human("acks", { ms: 0 });
  if (!inTheGap) press = await pressed("Approve");
  seen = await response(press);
  check(`and a press around it is answered (${seen.kind})`, seen.kind === "deferred update");
}
check("RESUMED came as often", resumed === 5);
await human("invalidate", { resumable: false });
for (let round = 0; round < 100; round++) {
  if (JSON.stringify(await human("sessions")) === '[{"connected":true,"intents":0,"resumes":0}]') break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
check("op 9 that may not be resumed is followed by a new session", (await response(await pressed("Approve"))).kind === "deferred update");
await client.destroy();
const violations = await human("violations");
console.log("   ", new Set(violations));
// The library sends fields that there are not.
const known = ["enforce_nonce: unknown field", "tts: unknown field"];
check("no other violation of the schema", violations.every((line) => known.some((it) => line.endsWith(` request: ${it}`))));
process.exit(0);
