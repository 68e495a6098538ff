"""python-telegram-bot, with its own Application, polling and handlers."""
import asyncio
import io
import logging

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram import error
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from human import FAKE, check, human

# The library logs what the fake breaks on purpose.
logging.disable()
CHAT = FAKE["chat"]


async def on_start(update, context):
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("✅ Yes", callback_data="yes")]])
    await update.message.reply_text("started", reply_markup=keyboard)


async def on_press(update, context):
    await update.callback_query.answer("noted")
    await update.callback_query.edit_message_text(f"chosen: {update.callback_query.data}")


async def on_text(update, context):
    await update.message.reply_html(f"you said <b>{update.message.text}</b>", do_quote=True)


async def fails(kind, call):
    try:
        await call
    except kind as failure:
        return failure
    return None


async def main():
    def ask(action, **query):
        return asyncio.to_thread(human, action, **query)

    base = FAKE["base_url"] + "/bot"
    app = Application.builder().token(FAKE["token"]).base_url(base).build()
    app.add_handler(CommandHandler("start", on_start))
    app.add_handler(CallbackQueryHandler(on_press))
    app.add_handler(MessageHandler(filters.TEXT & ~filters.COMMAND, on_text))
    async with app:
        await app.start()
        await app.updater.start_polling()
        bot = app.bot
        check("getMe", (await bot.get_me()).is_bot)
        await ask("say", text="/start")
        card = await ask("await", text="started")
        check("a command brings a card with a button", card["buttons"] == ["✅ Yes"])
        press = await ask("press", message=card["message"], button="✅ Yes")
        answer = await ask("await_answer", press=press["press"])
        check("a press is answered with a toast", answer["text"] == "noted")
        edited = await ask("await", text="chosen: yes")
        check("and the card is edited", edited["message"] == card["message"] and edited["buttons"] == [])
        await ask("say", text="hello")
        said = await ask("await", text="you said hello")
        check("a text is quoted in HTML", said["entities"] == ["bold"] and said["reply_to"] is not None)
        await app.updater.stop()
        await app.stop()

        sent = await bot.send_message(
            CHAT, "plain", link_preview_options=LinkPreviewOptions(is_disabled=True), disable_notification=True,
            reply_parameters=ReplyParameters(card["message"]))
        check("sendMessage gives the Message", sent.text == "plain" and sent.reply_to_message.message_id == card["message"])
        sent = await bot.send_document(CHAT, io.BytesIO(b"x" * 1000), filename="plan.md", caption="the plan")
        check("sendDocument uploads", sent.document.file_size == 1000 and sent.caption == "the plan")
        same = await fails(error.BadRequest, bot.edit_message_text("chosen: yes", CHAT, card["message"]))
        check("an edit that changes nothing", same and "not modified" in same.message)
        old = await fails(error.BadRequest, bot.answer_callback_query("1"))
        check("an old press", old and old.message.startswith("Query is too old"))
        markup = await fails(error.BadRequest, bot.send_message(CHAT, "a *b", parse_mode="Markdown"))
        check("bad markup", markup and "Can't parse entities" in markup.message)
        check("getChat", (await bot.get_chat(CHAT)).first_name == "Jin")
        check("getChatMember", (await bot.get_chat_member(CHAT, FAKE["user"])).status == "member")
        check("no such chat", await fails(error.BadRequest, bot.send_message(99, "x")))
        check("deleteMessage", await bot.delete_message(CHAT, sent.message_id))
        await ask("fail", call="sendMessage", fault="limited")
        limited = await fails(error.RetryAfter, bot.send_message(CHAT, "x"))
        check("429 is RetryAfter", limited and limited._retry_after.total_seconds() == 1)
        for fault, kind in (("403", error.Forbidden), ("409", error.Conflict), ("html", error.NetworkError),
                            ("cut", error.NetworkError), ("garbled", error.TelegramError)):
            await ask("fail", call="sendMessage", fault=fault)
            check(f"{fault} is {kind.__name__}", await fails(kind, bot.send_message(CHAT, "x")))
        first = asyncio.create_task(fails(error.Conflict, bot.get_updates(offset=-1, timeout=20)))
        await asyncio.sleep(0.3)
        async with Bot(FAKE["token"], base_url=base) as other:
            second = asyncio.create_task(other.get_updates(offset=-1, timeout=1))
            check("two polls: the older one gets Conflict", await first)
            await second
        check("setWebhook and getWebhookInfo", await bot.set_webhook("https://example.org/hook")
              and (await bot.get_webhook_info()).url == "https://example.org/hook")
        check("getUpdates with a webhook is Conflict", await fails(error.Conflict, bot.get_updates()))
        check("deleteWebhook", await bot.delete_webhook())
    stranger = Bot("1:wrong", base_url=base)
    check("a wrong token is InvalidToken", await fails(error.InvalidToken, stranger.initialize()))
    violations = await ask("violations")
    print("   ", violations)
    check("no violation of the schema", violations == [])


asyncio.run(main())
