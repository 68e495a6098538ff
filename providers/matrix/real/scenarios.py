"""The debug binary against a real Synapse. `scenarios.py DMPLZ FOLDER [SCENARIO...]`"""
import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from people import Person
from server import LIFETIME, Synapse

DMPLZ, FOLDER, WANTED = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve(), sys.argv[3:]
STDIN = Path(__file__).resolve().parents[3] / "tests/e2e/stdin/PermissionRequest-Bash.json"
APPROVE, DENY, MORE = "✅", "❌", "➕"


class World:
    """A server, a bot, and two people, of whom Jin may answer."""

    def __init__(self, server):
        self.server = server

    async def begin(self):
        self.bot, self.jin, self.mina = [await Person(self.server.url, name).log_in() for name in ("bot", "jin", "mina")]
        self.room = await self.jin.room(self.bot, self.mina)
        await self.mina.join(self.room)
        return self

    async def end(self):
        for person in (self.bot, self.jin, self.mina):
            await person.leave()

    def environment(self, home, **more):
        settings = {
            "HOME": home, "PATH": "/usr/bin:/bin", "CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_PROJECT_DIR": "/home/user/project", "DMPLZ_LANG": "en", "DMPLZ_LOG": "debug",
            "DMPLZ_MATRIX_HOMESERVER": self.server.url, "DMPLZ_MATRIX_ACCESS_TOKEN": self.bot.token,
            "DMPLZ_MATRIX_ALLOWED_USERS": self.jin.id, "DMPLZ_MATRIX_ROOM_ID": self.room, **more,
        }
        return {name: value for name, value in settings.items() if value is not None}

    async def hook(self, **more):
        return await Hook().start(self.environment, **more)

    async def run(self, *arguments, **more):
        with tempfile.TemporaryDirectory() as home:
            process = await asyncio.create_subprocess_exec(
                DMPLZ, *arguments, env=self.environment(home, **more), stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
            out, err = await process.communicate()
            return process.returncode, out.decode() + err.decode()

    async def card(self, after=0, room=None, reactions=4):
        """The newest card, once its menu is whole."""
        def is_card(message):
            return message.sender == self.bot.id and "git push" in message.text and message.at > after \
                and len(message.menu(self.bot)) == reactions
        return await self.jin.await_message(room or self.room, is_card)

    async def deny(self, card, reason="no_reason"):
        """Denies, and writes the reason once it is asked for."""
        await self.jin.react(self.room, card.id, DENY)
        prompt = await self.jin.await_message(
            self.room, lambda it: it.sender == self.bot.id and it.at > card.at and "Time limit" in it.text)
        await self.mina.say(self.room, "not me")
        await self.jin.say(self.room, reason, reply_to=prompt.id)

    async def ended(self, card, text, room=None):
        def is_over(message):
            return message.id == card.id and text in message.text and not message.menu(self.bot)
        return await self.jin.await_message(room or self.room, is_over)


class Hook:
    async def start(self, environment, **more):
        self.home = tempfile.TemporaryDirectory()
        self.started = time.monotonic()
        self.process = await asyncio.create_subprocess_exec(
            DMPLZ, "hook", env=environment(self.home.name, **more), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        event = json.loads(STDIN.read_text())
        self.process.stdin.write(json.dumps(event).encode() + b"\n")
        self.process.stdin.close()
        return self

    async def decision(self):
        out, err = await asyncio.wait_for(self.process.communicate(), 180)
        self.errors, self.took = err.decode(), time.monotonic() - self.started
        assert self.process.returncode == 0, self.errors
        return json.loads(out or "{}").get("hookSpecificOutput", {}).get("decision")


async def an_approval_reaches_the_agent(world):
    hook = await world.hook()
    card = await world.card()
    assert card.menu(world.bot)[:2] == [APPROVE, DENY], card.reactions
    assert "<pre><code>git push origin main</code></pre>" in card.html, card.html
    assert card.contents[0]["m.mentions"] == {}
    await world.jin.react(world.room, card.id, APPROVE)
    decision = await hook.decision()
    assert decision["behavior"] == "allow", (decision, hook.errors)
    await world.ended(card, "jin")


async def a_denial_brings_its_reason(world):
    hook = await world.hook()
    card = await world.card()
    await world.deny(card, "use a branch")
    decision = await hook.decision()
    assert decision["behavior"] == "deny" and "use a branch" in decision["message"], decision
    await world.ended(card, "use a branch")


async def a_stranger_decides_nothing(world):
    hook = await world.hook()
    card = await world.card()
    await world.mina.react(world.room, card.id, APPROVE)
    await world.jin.await_message(world.room, lambda it: it.sender == world.bot.id and it.at > card.at)
    assert hook.process.returncode is None
    await world.deny(card)
    assert (await hook.decision())["behavior"] == "deny"


async def further_choices_come_in_a_message_of_their_own(world):
    hook = await world.hook()
    card = await world.card()
    while "⏳" not in card.menu(world.bot):
        await world.jin.react(world.room, card.id, MORE)
        card = await world.jin.await_message(
            world.room, lambda it: it.at > card.at and it.offered() and set(it.menu(world.bot)) == it.offered())
    await world.jin.react(world.room, card.id, "⏳")
    assert (await hook.decision())["behavior"] == "allow", hook.errors
    messages = await world.jin.messages(world.room)
    assert not any(it.menu(world.bot) for it in messages), [(it.text, it.reactions) for it in messages]


def code(message, label):
    """The code in front of a choice."""
    return next(line.split(" ")[0] for line in message.text.splitlines() if line.endswith(label))


async def codes_answer_and_nothing_else_that_is_written(world):
    hook = await world.hook(DMPLZ_MATRIX_TRANSPORT="typed")
    card = await world.card(reactions=0)
    await world.jin.say(world.room, "ok")
    await world.jin.say(world.room, code(card, "Approve") + " but only once")
    await world.mina.say(world.room, code(card, "Approve"))
    await world.jin.await_message(world.room, lambda it: it.sender == world.bot.id and "may not answer" in it.text)
    assert hook.process.returncode is None
    await world.jin.say(world.room, code(card, "Scope: this project (just you)"))
    card = await world.jin.await_message(world.room, lambda it: it.id == card.id and "Scope: all projects" in it.text)
    await world.jin.say(world.room, code(card, "Approve").lower())
    assert (await hook.decision())["behavior"] == "allow", hook.errors
    await world.ended(card, "jin")
    assert not any(it.menu(world.bot) for it in await world.jin.messages(world.room))


async def an_encrypted_room_is_refused(world):
    room = await world.jin.room(world.bot, encrypted=True)
    hook = await world.hook(DMPLZ_MATRIX_ROOM_ID=room)
    assert await hook.decision() is None
    assert "encrypt" in hook.errors, hook.errors
    assert all(it.sender != world.bot.id for it in await world.jin.messages(room))
    _, told = await world.run("doctor", DMPLZ_MATRIX_ROOM_ID=room)
    assert "encrypted" in told, told


async def a_room_that_becomes_encrypted_still_hears_the_denial(world):
    room = await world.jin.room(world.bot)
    hook = await world.hook(DMPLZ_MATRIX_ROOM_ID=room)
    card = await world.card(room=room)
    await world.jin.encrypt(room)
    await world.jin.react(room, card.id, DENY)
    decision = await hook.decision()
    assert decision["behavior"] == "deny", decision
    assert "encrypt" in hook.errors, hook.errors


async def a_direct_chat_is_made_once(world):
    settings = dict(DMPLZ_MATRIX_ROOM_ID=None, DMPLZ_MATRIX_DM_USER_ID=world.jin.id, DMPLZ_MATRIX_ALLOWED_USERS=None)
    room, after = None, 0
    for _ in range(2):
        hook = await world.hook(**settings)
        end = time.monotonic() + 30
        while not room and time.monotonic() < end:
            synced = await world.jin.client.sync(timeout=1000)
            for room in synced.rooms.invite:
                await world.jin.join(room)
        card = await world.card(room=room, after=after)
        await world.jin.react(room, card.id, APPROVE)
        assert (await hook.decision())["behavior"] == "allow"
        after = card.at


async def tokens_that_expire_are_renewed(world):
    given = await world.bot.refresh_token()
    with tempfile.TemporaryDirectory() as home:
        tokens = dict(DMPLZ_MATRIX_ACCESS_TOKEN=None, DMPLZ_MATRIX_REFRESH_TOKEN=given, HOME=home)
        after = 0
        for _ in range(2):
            hook = await world.hook(**tokens)
            card = await world.card(after=after)
            await asyncio.sleep(2 * LIFETIME)
            await world.deny(card, "use a branch")
            decision = await hook.decision()
            assert decision["behavior"] == "deny" and "use a branch" in decision["message"], (decision, hook.errors)
            after = (await world.ended(card, "use a branch")).at
        _, told = await world.run("doctor", **tokens)
        assert "✓ token" in told and given not in told, told
    # What was given counts once, and only that home has what followed it.
    with tempfile.TemporaryDirectory() as home:
        code, told = await world.run("doctor", **{**tokens, "HOME": home})
        assert code != 0 and "✗ token" in told, told
        print("   " + next(line for line in told.splitlines() if "✗ token" in line))


async def a_restarted_server_loses_no_press(world):
    hook = await world.hook()
    card = await world.card()
    world.server.stop()
    await asyncio.sleep(1)
    await world.server.start()
    await world.deny(card)
    assert (await hook.decision())["behavior"] == "deny"
    await world.ended(card, "jin")


async def doctor_is_content(world):
    _, before = await world.run("doctor")
    assert "the bot is not in the room" in before, before
    await world.bot.join(world.room)
    _, told = await world.run("doctor")
    assert all(f"✓ {check}" in told for check in ("token", "chat", "post", "react", "attach", "read")), told


async def the_default_limits_are_kept(world):
    """Requests one after the other: Synapse takes 10 events of the bot at once, then one every 5 seconds."""
    cards = []
    for number in range(3):
        hook = await world.hook()
        card = await world.jin.await_message(
            world.room, lambda it: it.offered() and it.id not in cards and DENY in it.menu(world.bot))
        cards.append(card.id)
        begun = time.monotonic()
        await world.jin.react(world.room, card.id, APPROVE)
        assert (await hook.decision())["behavior"] == "allow", hook.errors
        took = time.monotonic() - begun
        print(f"   request {number + 1}: asked after {hook.took - took:.1f} s, decided {took:.1f} s after the press")
    # A hook that has no time to show the end leaves that to the next one.
    await asyncio.sleep(60)
    last, hook = hook, await world.hook(HOME=hook.home.name)
    await world.jin.await_message(world.room, lambda it: it.offered() and it.id not in cards and DENY in it.menu(world.bot))
    await world.jin.await_message(world.room, lambda it: it.id == cards[-1] and not it.offered())
    hook.process.terminate()
    last.home.cleanup()


ON_RAISED = [
    an_approval_reaches_the_agent, doctor_is_content, a_denial_brings_its_reason, a_stranger_decides_nothing,
    further_choices_come_in_a_message_of_their_own, codes_answer_and_nothing_else_that_is_written,
    an_encrypted_room_is_refused, a_room_that_becomes_encrypted_still_hears_the_denial, a_direct_chat_is_made_once,
    tokens_that_expire_are_renewed, a_restarted_server_loses_no_press,
]
ON_DEFAULT = [the_default_limits_are_kept]


async def run_all():
    for name, raised, scenarios in [("raised", True, ON_RAISED), ("default", False, ON_DEFAULT)]:
        scenarios = [it for it in scenarios if not WANTED or it.__name__ in WANTED]
        if not scenarios:
            continue
        server = await Synapse(FOLDER / name, raised).start()
        try:
            for account in ("bot", "jin", "mina"):
                server.register(account)
            for scenario in scenarios:
                world = await World(server).begin()
                begun = time.monotonic()
                try:
                    await scenario(world)
                finally:
                    await world.end()
                print(f"ok {scenario.__name__} ({time.monotonic() - begun:.1f} s, {name} limits)", flush=True)
        finally:
            server.stop()


asyncio.run(run_all())
