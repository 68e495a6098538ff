"""Real libraries read what the channels of `dmplz serve` send: a gateway with a channel of each type, and events and a request from
hooks. This program stands where the services are: it passes Telegram's calls on to the fake, and is Discord's webhook, a server
of the operator's and a push service itself. It records every body."""
import asyncio
import base64
import contextlib
import hashlib
import hmac
import inspect
import json
import logging
import os
import tempfile
import time
from pathlib import Path

import aiohttp
import discord
import http_ece
import telegram
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from discord.http import handle_message_parameters
from py_vapid import Vapid02
from standardwebhooks import Webhook, WebhookVerificationError

from human import FAKE, check, human

# A poll of the gateway ends with it.
logging.disable()
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
WEBHOOK = (223344556677889900, "hunter2-webhook")
THREAD = 334455667788990011
GHP = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
BOMB = "<b>x</b> *y* _z_ `q` ||s|| [a](http://b) @everyone <@123456789012345678> <#123456789012345678> https://example.org/x"
LONG = "한🙂*" * 3000
# What Telegram marks in any text.
FOUND_BY_ITSELF = {"url", "mention", "hashtag", "bot_command", "email"}
HOME = Path(tempfile.mkdtemp(prefix="dmplz-receivers-"))

CONFIG = """
lang = "en"
[notify.channels.phone]
type = "messenger"
messenger = "telegram"
verbose = true
[notify.channels.team]
type = "discord"
url = "{base}/api/webhooks/{id}/{token}"
thread = "{thread}"
username = "dmplz at home"
verbose = true
[notify.channels.ops]
type = "webhook"
url = "{base}/ops"
secret = "{secret}"
verbose = true
[notify.channels.devices]
type = "push"
verbose = true
[[notify.routes]]
events = ["PostToolUseFailure", "Stop", "RequestAsked"]
to = ["phone", "team", "ops", "devices"]
detail = "verbose"
"""


class Services:
    """What came, by service."""

    def __init__(self):
        self.telegram, self.discord, self.ops, self.push = [], {}, [], []
        self.came = asyncio.Condition()

    async def note(self, where, one):
        async with self.came:
            where.append(one)
            self.came.notify_all()

    async def until(self, what, holds, seconds=40):
        async with self.came:
            try:
                await asyncio.wait_for(self.came.wait_for(holds), seconds)
            except TimeoutError:
                check(what, False)

    async def start(self):
        app = web.Application(client_max_size=1 << 24)
        app.router.add_post("/api/webhooks/{id}/{token}", self.on_discord)
        app.router.add_get("/api/webhooks/{id}/{token}/messages/{message}", self.on_fetch)
        app.router.add_post("/ops", self.on_ops)
        app.router.add_post("/push/{name}", self.on_push)
        app.router.add_route("*", "/bot{token}/{method}", self.on_telegram)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True))
        return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"

    async def on_telegram(self, request):
        body = await request.read()
        url = FAKE["base_url"] + request.path_qs
        headers = {"content-type": request.headers.get("content-type", "application/json")}
        async with self.http.request(request.method, url, data=body, headers=headers) as reply:
            text = await reply.read()
            call = (request.match_info["method"], body, request.content_type, json.loads(text))
            await self.note(self.telegram, call)
            return web.Response(body=text, status=reply.status, content_type="application/json")

    async def on_discord(self, request):
        sent, number = await request.json(), 445566778899001100 + len(self.discord)
        # What Discord answers: the sender cannot choose an id, a time or what the text mentions.
        message = {
            "id": str(number), "type": 0, "content": sent.get("content", ""), "channel_id": request.query.get("thread_id", "1"),
            "author": {"id": str(WEBHOOK[0]), "username": sent.get("username", "hook"), "avatar": None, "discriminator": "0000", "bot": True},
            "attachments": [], "embeds": sent.get("embeds", []), "mentions": [], "mention_roles": [], "pinned": False,
            "mention_everyone": False, "tts": sent.get("tts", False), "timestamp": "2027-01-15T08:00:00+00:00", "edited_timestamp": None,
            "flags": sent.get("flags", 0), "components": sent.get("components", []), "webhook_id": str(WEBHOOK[0]),
        }
        async with self.came:
            self.discord[number] = (sent, dict(request.query), message)
            self.came.notify_all()
        return web.json_response(message)

    async def on_fetch(self, request):
        message = json.dumps(self.discord[int(request.match_info["message"])][2]).encode()
        # The library reads JSON only under exactly this type, which is Discord's.
        return web.Response(body=message, headers={"content-type": "application/json"})

    async def on_ops(self, request):
        await self.note(self.ops, (await request.read(), request.headers))
        return web.Response(status=204)

    async def on_push(self, request):
        await self.note(self.push, (await request.read(), request.headers))
        return web.Response(status=201)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def environment(**more):
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(HOME), "DMPLZ_LANG": "en", **more}


async def hook(env, event):
    """Gives an event to a hook, as Claude Code does. Returns the process."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(os.environ["DMPLZ"], "hook", stdin=pipe, stdout=pipe, stderr=pipe, env=env)
    process.stdin.write(json.dumps(event).encode())
    process.stdin.close()
    return process


class Browser:
    """A paired page that is subscribed to web push."""

    def __init__(self, service):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.own = ec.generate_private_key(ec.SECP256R1())
        self.endpoint = f"{service}/push/one"

    @staticmethod
    def raw(key):
        return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    async def subscribe(self, http, url, code):
        own, nonce = self.raw(self.own).hex(), os.urandom(32).hex()
        socket = await http.ws_connect(f"{url.replace('http', 'ws')}/ws", protocols=["dmplz"], origin=url)
        await socket.send_json({"hello": {"nonce": nonce, "key": own}})
        challenge = (await socket.receive_json())["challenge"]
        text = "\n".join(["dmplz page pairs", url, nonce, challenge["nonce"], own, challenge["key"]])
        secret = code.replace("-", "").replace(" ", "").upper().encode()
        await socket.send_json({"pair": {"mac": hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()}})
        welcome = await socket.receive_json()
        check("a page of ours is paired", "welcome" in welcome)
        self.gateway = (await self.call(socket, "push.status"))["key"]
        keys = {"p256dh": base64url(self.raw(self.key)), "auth": base64url(self.auth)}
        await self.call(socket, "push.subscribe", endpoint=self.endpoint, lang="en", **keys)
        return socket

    async def call(self, socket, method, **params):
        await socket.send_json({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        while True:
            reply = await socket.receive_json()
            if reply.get("id") == 1 and "method" not in reply:
                if "error" in reply:
                    check(f"{method}: {reply['error']}", False)
                return reply["result"]


def unknown(thing, seen=None):
    """The fields of a model of python-telegram-bot, at any depth, that the library does not know."""
    if isinstance(thing, (list, tuple)):
        return [field for one in thing for field in unknown(one)]
    if not isinstance(thing, telegram.TelegramObject):
        return []
    deeper = [field for name in thing.__slots__ if not name.startswith("_") for field in unknown(getattr(thing, name, None))]
    return [*thing.api_kwargs, *deeper]


def read_telegram(services):
    bot = telegram.Bot(FAKE["token"])
    known = set(inspect.signature(telegram.Bot.send_message).parameters)
    texts = []
    for method, body, content_type, reply in services.telegram:
        if method != "sendMessage":
            continue
        check("sendMessage is JSON", content_type == "application/json")
        asked = json.loads(body)
        check("python-telegram-bot knows every parameter", set(asked) <= known)
        check("and has no parse mode to read", "parse_mode" not in asked)
        if "link_preview_options" in asked:
            preview = telegram.LinkPreviewOptions.de_json(asked["link_preview_options"], bot)
            check("there is no preview of a link", preview.is_disabled and not unknown(preview))
        if "reply_markup" in asked:
            markup = telegram.InlineKeyboardMarkup.de_json(asked["reply_markup"], bot)
            buttons = [button for row in markup.inline_keyboard for button in row]
            limit = telegram.constants.InlineKeyboardButtonLimit
            fits = all(limit.MIN_CALLBACK_DATA <= len(button.callback_data.encode()) <= limit.MAX_CALLBACK_DATA for button in buttons)
            check("a keyboard with callback data that fits", buttons and fits and not unknown(markup))
        check("and Telegram took it", reply["ok"])
        message = telegram.Message.de_json(reply["result"], bot)
        check("a Message without unknown fields", message.text and not unknown(message))
        units = len(message.text.encode("utf-16-le")) // 2
        check(f"{units} UTF-16 units fit", units <= telegram.constants.MessageLimit.MAX_TEXT_LENGTH)
        kinds = {entity.type for entity in message.parse_entities()}
        check("no text is markup", "entities" in asked or kinds <= FOUND_BY_ITSELF)
        check("and its entities are Telegram's", kinds <= set(telegram.MessageEntity.ALL_TYPES))
        texts.append(message.text)
    return texts


async def read_discord(services, base):
    discord.http.Route.BASE = base + "/api"
    texts = []
    hook = discord.Webhook.partial(*WEBHOOK, session=services.http)
    for number, (sent, query, _) in services.discord.items():
        check("it waits, and is for the thread", query == {"wait": "true", "thread_id": str(THREAD)})
        with handle_message_parameters(
            sent["content"], username=sent["username"], allowed_mentions=discord.AllowedMentions.none(),
            flags=discord.MessageFlags(suppress_embeds=True),
        ) as parameters:
            check("discord.py would send the same", {**parameters.payload, "tts": False} == {**sent, "tts": False})
        message = await hook.fetch_message(number)
        check("a WebhookMessage of ours", message.webhook_id == WEBHOOK[0] and message.author.name == "dmplz at home")
        check("links have no preview", message.flags.suppress_embeds)
        named = [*message.raw_mentions, *message.raw_role_mentions, *message.raw_channel_mentions]
        check("the text names nobody", not named)
        units = len(message.content.encode("utf-16-le")) // 2
        check(f"{units} UTF-16 units fit", units <= 2000)
        texts.append(message.content)
    return texts


def read_ops(services):
    texts = []
    for body, headers in services.ops:
        notice = Webhook(SECRET).verify(body, headers)
        check("standardwebhooks verifies it", notice["type"] == "notice")
        with contextlib.suppress(WebhookVerificationError):
            Webhook(SECRET).verify(body + b" ", headers)
            check("and refuses a body that was changed", False)
        texts.append(f"{notice['title']}\n{notice['text']}")
    return texts


def read_push(services, browser, base):
    texts = []
    for body, headers in services.push:
        check("py-vapid verifies the token", Vapid02.verify(headers["Authorization"]))
        parts = dict(part.strip().split("=", 1) for part in headers["Authorization"].split(" ", 1)[1].split(","))
        claims = parts["t"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        check("for this service, for less than a day", claims["aud"] == base and 0 < claims["exp"] - time.time() <= 86_400)
        check("py-vapid would sign these claims", Vapid02.from_raw(base64url(os.urandom(32)).encode())._base_sign(claims) == claims)
        check("by the key of the subscription", parts["k"] == browser.gateway)
        check("as services take it", headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0 and len(body) <= 4096)
        plain = http_ece.decrypt(body, private_key=browser.key, auth_secret=browser.auth, version="aes128gcm")
        shown = json.loads(plain)
        check("http-ece decrypts it", shown["kind"] in ("notice", "asked", "ended"))
        texts.append(f"{shown.get('title', '')}\n{shown.get('body', '')}")
    return texts


async def main():
    services = Services()
    base = await services.start()
    state = HOME / ".claude/dm-plz"
    state.mkdir(parents=True, mode=0o700)
    config = CONFIG.format(base=base, id=WEBHOOK[0], token=WEBHOOK[1], thread=THREAD, secret=SECRET)
    (state / "config.toml").write_text(config)
    (state / "config.toml").chmod(0o600)
    env = environment(
        DMPLZ_TELEGRAM_API_BASE=base, DMPLZ_TELEGRAM_BOT_TOKEN=FAKE["token"], DMPLZ_TELEGRAM_CHAT_ID=str(FAKE["chat"]),
        DMPLZ_PUSH_SERVICES=base, DMPLZ_GATEWAY_PORT="0")
    pipe = asyncio.subprocess.PIPE
    gateway = await asyncio.create_subprocess_exec(os.environ["DMPLZ"], "serve", "--json", stdout=pipe, env=env)
    try:
        url = json.loads(await gateway.stdout.readline())["url"].rstrip("/")
        pair = await asyncio.create_subprocess_exec(os.environ["DMPLZ"], "pair", "--json", stdout=pipe, env=env)
        code = json.loads((await pair.communicate())[0])["code"]
        browser = Browser(base)
        socket = await browser.subscribe(services.http, url, code)
        common = {"session_id": "8c8ea2d5-bc3f-4bba-97eb-ca00c5481b3d", "transcript_path": "/tmp/t.jsonl", "cwd": f"/home/me/{BOMB.replace('/', '-')}"}
        failed = {**common, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {"command": f"echo {BOMB}"},
                  "tool_use_id": "toolu_1", "error": f"{BOMB} token {GHP} {LONG}"}
        stopped = {**common, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": BOMB}
        asked = {**common, "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": f"curl '{BOMB}'"}}
        for event in (failed, stopped):
            await (await hook(env, event)).communicate()
        waits = await hook(env, asked)
        # Three notices over each; the card over Telegram; one of the page's own over web push.
        sends = lambda: [call for call in services.telegram if call[0] == "sendMessage"]
        await services.until("everything came", lambda: len(sends()) >= 4 and len(services.discord) >= 3 and len(services.ops) >= 3
                             and len(services.push) >= 3)
        card = next(call[3]["result"] for call in sends() if "reply_markup" in json.loads(call[1]))
        shown = next(one for one in await asyncio.to_thread(human, "messages") if one["message"] == card["message_id"])
        await asyncio.to_thread(human, "press", message=card["message_id"], button="❌ Deny")
        await asyncio.sleep(0.5)
        for name, texts in (
            ("Telegram, by python-telegram-bot", read_telegram(services)), ("Discord, by discord.py", await read_discord(services, base)),
            ("a webhook, by standardwebhooks", read_ops(services)), ("web push, by http-ece and py-vapid", read_push(services, browser, base)),
        ):
            whole = "\n".join(texts)
            check(f"{name}: {len(texts)} messages", len(texts) >= 3)
            check("no secret, and what was left out is said", GHP not in whole and "left out" in whole)
        violations = await asyncio.to_thread(human, "violations")
        check(f"no violation of Telegram's schema {violations}", violations == [])
        await socket.close()
        waits.kill()
        await waits.wait()
    finally:
        gateway.terminate()
        await gateway.wait()
        await services.http.close()


asyncio.run(main())
