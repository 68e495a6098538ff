"""matrix-nio as a bot: sync, an invitation, messages, edits, reactions, redactions, replies, history, a file, rate limits."""
import asyncio
import io

from nio import (AsyncClient, AsyncClientConfig, InviteMemberEvent, JoinResponse, RedactionEvent, RoomCreateResponse,
                 RoomGetEventResponse, RoomMessagesResponse, RoomMessageText, RoomRedactResponse, RoomSendError,
                 RoomSendResponse, ReactionEvent, RoomGetStateEventError, RoomGetStateEventResponse, SyncResponse,
                 UploadResponse, WhoamiResponse)
from nio.api import RelationshipType

from human import FAKE, check, human

ROOM = FAKE["room"]
heard = {"invited": [], "said": [], "reacted": [], "redacted": []}


def holds(ok, seen):
    if not ok:
        check(seen, False)


async def send(client, kind, content, txn=None):
    sent = await client.room_send(ROOM, kind, content, tx_id=txn)
    holds(isinstance(sent, RoomSendResponse), sent)
    return sent.event_id


async def main():
    client = AsyncClient(FAKE["base_url"], FAKE["bot"], config=AsyncClientConfig(max_limit_exceeded=3))
    client.access_token, client.user_id, client.device_id = FAKE["token"], FAKE["bot"], "DMPLZ"
    client.add_event_callback(lambda room, event: heard["invited"].append(room.room_id), InviteMemberEvent)
    client.add_event_callback(lambda room, event: heard["said"].append(event.body), RoomMessageText)
    client.add_event_callback(lambda room, event: heard["reacted"].append((event.reacts_to, event.key)), ReactionEvent)
    client.add_event_callback(lambda room, event: heard["redacted"].append(event.redacts), RedactionEvent)

    holds(isinstance(who := await client.whoami(), WhoamiResponse) and who.user_id == FAKE["bot"], who)
    holds(isinstance(synced := await client.sync(timeout=0, full_state=True), SyncResponse), synced)
    holds(set(heard["invited"]) == {ROOM}, heard)
    holds(isinstance(joined := await client.join(ROOM), JoinResponse), joined)
    await client.sync(timeout=1000)
    holds(set(client.rooms[ROOM].users) == {FAKE["bot"], FAKE["user"]}, client.rooms[ROOM].users)
    holds(isinstance(state := await client.room_get_state_event(ROOM, "m.room.encryption"), RoomGetStateEventError), state)
    holds(isinstance(state := await client.room_get_state_event(ROOM, "m.room.power_levels"), RoomGetStateEventResponse), state)

    text = {"msgtype": "m.text", "body": "May I?", "m.mentions": {}}
    card = await send(client, "m.room.message", text, "card")
    holds(await send(client, "m.room.message", text, "card") == card, "a transaction is one event")
    reaction = await send(client, "m.reaction",
                          {"m.relates_to": {"rel_type": "m.annotation", "event_id": card, "key": "✅"}})
    human("react", message=card, key="❌")
    human("say", text="because")
    await client.sync(timeout=1000)
    holds((card, "❌") in heard["reacted"] and "because" in heard["said"], heard)

    relations = [event async for event in client.room_get_event_relations(ROOM, card, RelationshipType.annotation)]
    holds(sorted(event.key for event in relations) == ["✅", "❌"], relations)
    holds(isinstance(gone := await client.room_redact(ROOM, reaction), RoomRedactResponse), gone)
    relation = {"rel_type": "m.replace", "event_id": card}
    await send(client, "m.room.message", {**text, "body": "* Denied", "m.new_content": {**text, "body": "Denied"},
                                          "m.relates_to": relation})
    shown = human("await", text="Denied")
    holds(shown["message"] == card and shown["reactions"] == [[FAKE["user"], "❌"]], shown)
    await client.sync(timeout=1000)
    holds(reaction in heard["redacted"], heard)

    uploaded, _ = await client.upload(io.BytesIO(b"hello"), "text/plain", "a.txt", filesize=5)
    holds(isinstance(uploaded, UploadResponse), uploaded)
    file = await send(client, "m.room.message", {"msgtype": "m.file", "body": "a.txt", "filename": "a.txt",
                                                 "url": uploaded.content_uri, "info": {"mimetype": "text/plain", "size": 5}})
    holds([it["file"] for it in human("messages") if it["message"] == file] == [{"name": "a.txt", "size": 5}], "the file")
    found = await client.room_get_event(ROOM, card)
    holds(isinstance(found, RoomGetEventResponse) and found.event.body == "May I?", found)
    history = await client.room_messages(ROOM, "", limit=100)
    holds(isinstance(history, RoomMessagesResponse) and any(event.event_id == card for event in history.chunk), history)
    made = await client.room_create(invite=[FAKE["user"]], is_direct=True)
    holds(isinstance(made, RoomCreateResponse), made)

    human("fail", call="message", fault="limited")
    holds(await send(client, "m.room.message", {**text, "body": "later"}), "it waits and sends again")
    human("fail", call="message", fault="403")
    refused = await client.room_send(ROOM, "m.room.message", text)
    holds(isinstance(refused, RoomSendError) and refused.status_code == "M_FORBIDDEN", refused)
    check("matrix-nio and the fake understand each other", True)
    check(f"nothing that the specification does not allow: {human('violations')}", human("violations") == [])
    await client.close()


asyncio.run(main())
