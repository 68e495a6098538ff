"""discord.py, without its gateway: Client.login and everything that goes over REST."""
import asyncio
import io
import logging

import discord

from human import FAKE, check, human

logging.disable()
discord.http.Route.BASE = FAKE["base_url"]


async def fails(kind, call):
    try:
        await call
    except kind as failure:
        return failure
    return None


async def main():
    def ask(action, **query):
        return asyncio.to_thread(human, action, **query)

    client = discord.Client(intents=discord.Intents.none())
    await client.login(FAKE["token"])
    check("login", client.user.bot)
    info = await client.application_info()
    check("the application may read message content", info.flags.gateway_message_content_limited)
    channel = await client.fetch_channel(int(FAKE["channel"]))
    check("fetch_channel", channel.name == "approvals")
    guild = await client.fetch_guild(int(FAKE["guild"]))
    member = await guild.fetch_member(client.user.id)
    check("the bot's permissions can be computed", [role.name for role in await guild.fetch_roles()]
          and member.joined_at is not None)

    card = await channel.send("rm -rf?", nonce="abc", allowed_mentions=discord.AllowedMentions.none())
    for emoji in "✅🔄❌":
        await card.add_reaction(emoji)
    shown = await ask("await", text="rm -rf?")
    check("a card with three reactions", shown["emoji"] == ["✅", "🔄", "❌"])
    await ask("react", message=card.id, emoji="❌")
    card = await channel.fetch_message(card.id)
    no = next(reaction for reaction in card.reactions if reaction.emoji == "❌")
    check("the person's reaction is counted", no.count == 2 and no.me)
    check("and its users are listed", FAKE["user"] in [str(user.id) async for user in no.users()])
    await card.remove_reaction("❌", discord.Object(int(FAKE["user"])))
    await card.clear_reaction("🔄")
    await card.clear_reactions()
    check("reactions are removed", (await channel.fetch_message(card.id)).reactions == [])
    edited = await card.edit(content="denied")
    check("edit", edited.content == "denied" and edited.edited_at is not None)
    reply = await card.reply("why?", file=discord.File(io.BytesIO(b"x" * 100), "plan.md", description="a plan"))
    check("a reply with a file", reply.attachments[0].size == 100 and reply.reference.message_id == card.id)
    said = await ask("say", text="because")
    heard = [message async for message in channel.history(after=reply)]
    check("history after a message", [message.content for message in heard] == ["because"]
          and str(heard[0].id) == said["message"])
    await channel.typing()
    check("the time of an id", abs((reply.created_at - discord.utils.utcnow()).total_seconds()) < 60)
    jin = await client.fetch_user(int(FAKE["user"]))
    direct = await jin.send("in private")
    check("a direct message", (await ask("messages", channel=direct.channel.id))[0]["content"] == "in private")
    await reply.delete()
    gone = await fails(discord.NotFound, channel.fetch_message(reply.id))
    check("a deleted message is 10008", gone and gone.code == 10008)
    unknown = await fails(discord.NotFound, client.fetch_channel(1))
    check("an unknown channel is 10003", unknown and unknown.code == 10003)
    long = await fails(discord.HTTPException, channel.send("x" * 2001))
    check("2001 characters are 50035", long and long.code == 50035 and "2000" in long.text)
    call = "POST /channels/{channel_id}/messages"
    await ask("fail", call=call, fault="limited")
    check("429 is waited out", (await channel.send("after a while")).content == "after a while")
    await ask("fail", call=call, fault="403")
    check("403 is Forbidden", await fails(discord.Forbidden, channel.send("x")))
    await ask("fail", call=call, fault="html")
    check("502 is tried again", (await channel.send("again")).content == "again")
    await client.close()
    stranger = discord.Client(intents=discord.Intents.none())
    check("a wrong token is LoginFailure", await fails(discord.LoginFailure, stranger.login("wrong")))
    await stranger.close()
    violations = await ask("violations")
    print("   ", violations)
    # The library sends a field with an edit that there is not, and the script a text that is too long.
    expected = ["tts: unknown field", "content: Length 2001 is out of None..=Some(2000)"]
    check("no other violation of the schema", [line.split("request: ")[1] for line in violations] == expected)


asyncio.run(main())
