// grammY, with its own polling and handlers.
import { Bot, GrammyError, HttpError, InlineKeyboard, InputFile } from "grammy";
import { check, fake, human } from "./human.mjs";

const bot = new Bot(fake.token, { client: { apiRoot: fake.base_url } });
const fails = (call) => call.then(() => undefined, (error) => error);

bot.command("start", (context) => context.reply("started", { reply_markup: new InlineKeyboard().text("Yes", "yes").text("No", "no") }));
bot.callbackQuery("no", async (context) => {
  await context.answerCallbackQuery("noted");
  await context.editMessageText("chosen: no");
});
bot.on("message:text", (context) =>
  context.reply(`you said ${context.msg.text}`, { reply_parameters: { message_id: context.msg.message_id } }));

await bot.init();
check("getMe", bot.botInfo.is_bot);
const polling = bot.start({ allowed_updates: ["message", "callback_query"] });
await human("say", { text: "/start" });
const card = await human("await", { text: "started" });
check("a command brings a card with buttons", card.buttons.join() === "Yes,No");
const { press } = await human("press", { message: card.message, button: "No" });
check("a press is answered with a toast", (await human("await_answer", { press })).text === "noted");
check("and the card is edited", (await human("await", { text: "chosen: no" })).message === card.message);
const { message } = await human("say", { text: "hello" });
check("a text is answered", (await human("await", { text: "you said hello" })).reply_to === message);
await bot.stop();
await polling;

const sent = await bot.api.sendDocument(fake.chat, new InputFile(new Uint8Array(5000), "plan.md"), { caption: "the plan" });
check("sendDocument uploads", sent.document.file_size === 5000 && sent.document.file_name === "plan.md");
const same = await fails(bot.api.editMessageText(fake.chat, card.message, "chosen: no"));
check("an edit that changes nothing", same instanceof GrammyError && same.description.includes("is not modified"));
check("editMessageReplyMarkup", await bot.api.editMessageReplyMarkup(fake.chat, card.message, { reply_markup: new InlineKeyboard().text("x", "y") }));
await human("fail", { call: "sendMessage", fault: "limited" });
const limited = await fails(bot.api.sendMessage(fake.chat, "x"));
check("429 with retry_after", limited.error_code === 429 && limited.parameters.retry_after === 1);
for (const fault of ["html", "cut", "garbled"]) {
  await human("fail", { call: "sendMessage", fault });
  check(`${fault} is HttpError`, (await fails(bot.api.sendMessage(fake.chat, "x"))) instanceof HttpError);
}
await human("fail", { call: "sendMessage", fault: "401" });
check("401", (await fails(bot.api.sendMessage(fake.chat, "x"))).error_code === 401);
const first = fails(bot.api.getUpdates({ offset: -1, timeout: 20 }));
await new Promise((resolve) => setTimeout(resolve, 300));
const second = bot.api.getUpdates({ offset: -1, timeout: 1 });
check("two polls: the older one gets 409", (await first).error_code === 409);
await second;
const violations = await human("violations");
console.log("   ", violations);
check("no violation of the schema", violations.length === 0);
