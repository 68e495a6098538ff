"""aiogram, with its own Dispatcher and polling."""
import asyncio
import logging

from aiogram import Bot, Dispatcher, F
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramBadRequest, TelegramRetryAfter, TelegramServerError
from aiogram.filters import CommandStart
from aiogram.types import BufferedInputFile, InlineKeyboardButton, InlineKeyboardMarkup

from human import FAKE, check, human

logging.disable()
dispatcher = Dispatcher()


@dispatcher.message(CommandStart())
async def on_start(message):
    keyboard = InlineKeyboardMarkup(inline_keyboard=[[InlineKeyboardButton(text="No", callback_data="no")]])
    await message.answer("started", reply_markup=keyboard)


@dispatcher.callback_query(F.data == "no")
async def on_press(query):
    await query.message.edit_text("chosen: no")
    await query.answer("noted", show_alert=True)


async def fails(kind, call):
    try:
        await call
    except kind:
        return True


async def main():
    def ask(action, **query):
        return asyncio.to_thread(human, action, **query)

    session = AiohttpSession(api=TelegramAPIServer.from_base(FAKE["base_url"]))
    bot = Bot(FAKE["token"], session=session)
    polling = asyncio.create_task(dispatcher.start_polling(bot, handle_signals=False))
    await ask("say", text="/start")
    card = await ask("await", text="started")
    press = await ask("press", message=card["message"], button="No")
    answer = await ask("await_answer", press=press["press"])
    check("a press is answered with an alert", answer == {"text": "noted", "alert": True})
    check("and the card was edited", (await ask("await", text="chosen: no"))["message"] == card["message"])
    await dispatcher.stop_polling()
    await polling
    sent = await bot.send_document(FAKE["chat"], BufferedInputFile(b"x" * 9, "a.txt"), caption="*file*",
                                   parse_mode="MarkdownV2")
    check("sendDocument with a caption in MarkdownV2", sent.caption_entities[0].type == "bold")
    check("bad HTML", await fails(TelegramBadRequest, bot.send_message(FAKE["chat"], "a < b", parse_mode="HTML")))
    await ask("fail", call="sendMessage", fault="limited")
    check("429", await fails(TelegramRetryAfter, bot.send_message(FAKE["chat"], "x")))
    await ask("fail", call="sendMessage", fault="500")
    check("500", await fails(TelegramServerError, bot.send_message(FAKE["chat"], "x")))
    await bot.session.close()
    violations = await ask("violations")
    print("   ", violations)
    check("no violation of the schema", violations == [])


asyncio.run(main())
