"""discord.py over its gateway: a bot that answers presses by all the ways there are."""
import asyncio
import logging

import discord
import yarl

from human import FAKE, check, human

logging.disable()
discord.http.Route.BASE = FAKE["base_url"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(FAKE["gateway"])
events = []


class Instead(discord.ui.Modal, title="Tell Claude"):
    instead = discord.ui.TextInput(label="Instead", style=discord.TextStyle.paragraph, max_length=300, placeholder="ls first")

    async def on_submit(self, interaction):
        await interaction.response.edit_message(content=f"told: {self.instead.value}")


class Card(discord.ui.View):
    def __init__(self):
        super().__init__(timeout=None)

    @discord.ui.button(label="Approve", style=discord.ButtonStyle.success, custom_id="approve", row=0)
    async def approve(self, interaction, button):
        await interaction.response.defer()
        await interaction.edit_original_response(content="approved", embed=None, view=self)

    @discord.ui.button(label="Deny", style=discord.ButtonStyle.danger, custom_id="deny", row=0, emoji="❌")
    async def deny(self, interaction, button):
        await interaction.response.send_message("only you may read this", ephemeral=True)
        await interaction.followup.send("and this", ephemeral=True)

    @discord.ui.button(label="Tell", style=discord.ButtonStyle.secondary, custom_id="tell", row=1)
    async def tell(self, interaction, button):
        await interaction.response.send_modal(Instead())

    @discord.ui.button(label="Think", style=discord.ButtonStyle.secondary, custom_id="think", row=1)
    async def think(self, interaction, button):
        await interaction.response.defer(thinking=True, ephemeral=True)
        await interaction.edit_original_response(content="thought")


class Bot(discord.Client):
    async def on_socket_event_type(self, event):
        events.append(event)


async def main():
    def ask(action, **query):
        return asyncio.to_thread(human, action, **query)

    await ask("heartbeat", ms=300)
    # Longer than the 5 s for which the library neither reads nor identifies after op 9.
    bot = Bot(intents=discord.Intents.none(), heartbeat_timeout=7.0)
    await bot.login(FAKE["token"])
    running = asyncio.create_task(bot.connect())
    await asyncio.wait_for(bot.wait_until_ready(), 10)
    check("login and READY without intents", await ask("sessions") == [{"intents": 0, "connected": True, "resumes": 0}])
    channel = await bot.fetch_channel(int(FAKE["channel"]))
    embed = discord.Embed(title="Bash", description="rm -rf /tmp/x", colour=0xFF0000)
    embed.add_field(name="Folder", value="/work").set_footer(text="#1")
    card = await channel.send("rm?", embed=embed, view=Card(), allowed_mentions=discord.AllowedMentions.none())
    shown = await ask("await", text="rm?")
    check("a card with an embed and rows of buttons",
          shown["buttons"] == [["Approve", "Deny"], ["Tell", "Think"]] and shown["embeds"][0]["title"] == "Bash")

    async def press(button):
        pressed = await ask("press", message=card.id, button=button)
        return pressed["interaction"], await ask("response", interaction=pressed["interaction"])

    _, seen = await press("Approve")
    check(f"a press is answered by a deferred update, in {seen['milliseconds']:.1f} ms", seen["kind"] == "deferred update")
    edited = await ask("await", text="approved")
    check("and the card is edited", edited["message"] == str(card.id) and edited["embeds"] == [])
    press_id, seen = await press("Deny")
    check("a press is answered by an ephemeral message", seen["kind"] == "message")
    check("with another behind it", (await ask("whisper", interaction=press_id, text="and this"))["whisper"] == "and this")
    check("which are in no channel", len(await ask("messages")) == 1)
    press_id, seen = await press("Tell")
    check("a press opens a modal", seen["modal"] == {"title": "Tell Claude",
          "fields": [{"label": "Instead", "max": 300, "paragraph": True}]})
    submitted = await ask("submit", interaction=press_id, field="Instead", text="look first")
    seen = await ask("response", interaction=submitted["interaction"])
    check("that is submitted, and answered by an update", seen["kind"] == "update")
    check("with its text", (await ask("await", text="told: look first"))["message"] == str(card.id))
    press_id, seen = await press("Think")
    check("a press is answered by a deferred message", seen["kind"] == "deferred message")
    check("that comes", (await ask("whisper", interaction=press_id, text="thought"))["whisper"] == "thought")

    for number, (what, act) in enumerate((
            ("a line that is cut", "cut"), ("op 7", "reconnect"), ("op 9 that may be resumed", "invalidate"),
            ("a close with 4000", "close"), ("a heartbeat that is not acknowledged", "acks")), start=1):
        await ask(act, **({"resumable": "true"} if act == "invalidate" else {}))
        if act in ("cut", "close"):
            # The press falls into the gap: it has to be replayed, if the line is not back already.
            pressed = await ask("press", message=card.id, button="Approve")
        check(f"{what} is followed by a RESUME", await ask("resumed", times=number))
        await ask("acks", ms=0)
        if act not in ("cut", "close"):
            pressed = await ask("press", message=card.id, button="Approve")
        seen = await ask("response", interaction=pressed["interaction"])
        check(f"and a press around it is answered ({seen['kind']})", seen["kind"] == "deferred update")
    check("RESUMED came as often", events.count("RESUMED") == 5)
    # A heartbeat of its own, INTERACTION_CREATE, and the heartbeats around them: wherever the line breaks, the press is
    # answered.
    for frames in range(1, 7):
        await ask("cut_after", frames=frames)
        pressed = await ask("press", message=card.id, button="Approve")
        seen = await ask("response", interaction=pressed["interaction"])
        check(f"a press is answered though the line breaks behind {frames} frames", seen["kind"] == "deferred update")
        await ask("resumed", times=5 + frames)
    check("it broke each time", await ask("cuts") == 6)
    await ask("invalidate", resumable="false")
    for _ in range(100):
        if (await ask("sessions")) == [{"intents": 0, "connected": True, "resumes": 0}]:
            break
        await asyncio.sleep(0.1)
    _, seen = await press("Approve")
    check("op 9 that may not be resumed is followed by a new session", seen["kind"] == "deferred update")
    await bot.close()
    await running
    violations = await ask("violations")
    print("   ", sorted(set(violations)))
    # The library sends fields that there are not, and over its webhooks the name of its HTTP client.
    known = {"embeds[0].flags: unknown field", "tts: unknown field",
             'User-Agent: should be "DiscordBot ($url, $version)"'}
    check("no other violation of the schema", {line.split("request: ")[-1] for line in violations} <= known)


asyncio.run(main())
