"""The people in the rooms, by matrix-nio."""
import asyncio
import json
import time

from nio import AsyncClient, AsyncClientConfig, LoginResponse, RoomMessagesResponse

SOON = 60


def whole(response, kind):
    assert isinstance(response, kind), response
    return response


class Person:
    """Somebody with a client, or the bot where its token is made."""

    def __init__(self, url: str, name: str):
        self.client = AsyncClient(url, f"@{name}:localhost", config=AsyncClientConfig(max_limit_exceeded=20))
        self.name = name

    async def log_in(self):
        whole(await self.client.login(f"{self.name}-password"), LoginResponse)
        return self

    async def refresh_token(self):
        """Logs in once more, for a token that expires."""
        login = {
            "type": "m.login.password", "identifier": {"type": "m.id.user", "user": self.name},
            "password": f"{self.name}-password", "refresh_token": True,
        }
        response = await self.client.send("POST", "/_matrix/client/v3/login", json.dumps(login))
        return (await response.json())["refresh_token"]

    @property
    def id(self):
        return self.client.user_id

    @property
    def token(self):
        return self.client.access_token

    async def room(self, *others, direct=False, encrypted=False):
        state = [{"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}]
        made = await self.client.room_create(
            invite=[other.id for other in others], is_direct=direct, initial_state=state if encrypted else [])
        return made.room_id

    async def encrypt(self, room):
        await self.client.room_put_state(room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})

    async def join(self, room):
        await self.client.join(room)

    async def react(self, room, event, key):
        content = {"m.relates_to": {"rel_type": "m.annotation", "event_id": event, "key": key}}
        return (await self.client.room_send(room, "m.reaction", content)).event_id

    async def take_back(self, room, event):
        await self.client.room_redact(room, event)

    async def say(self, room, text, reply_to=None):
        content = {"msgtype": "m.text", "body": text}
        if reply_to:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": reply_to}}
        return (await self.client.room_send(room, "m.room.message", content)).event_id

    async def messages(self, room):
        """What a client shows: each message with its last edit, and the reactions of each person."""
        events, start = [], ""
        while True:
            page = whole(await self.client.room_messages(room, start, limit=500), RoomMessagesResponse)
            events += [event.source for event in page.chunk]
            if not page.end or not page.chunk:
                break
            start = page.end
        shown = {}
        for event in reversed(events):
            content, relation = event["content"], event["content"].get("m.relates_to", {})
            if event["type"] == "m.room.message" and relation.get("rel_type") == "m.replace":
                if relation["event_id"] in shown and shown[relation["event_id"]].sender == event["sender"]:
                    shown[relation["event_id"]].contents.append(content["m.new_content"])
            elif event["type"] == "m.room.message" and "body" in content:
                shown[event["event_id"]] = Message(event)
            elif event["type"] == "m.reaction" and relation.get("event_id") in shown:
                shown[relation["event_id"]].reactions.append((event["sender"], relation["key"]))
        return list(shown.values())

    async def await_message(self, room, wanted):
        end = time.monotonic() + SOON
        while time.monotonic() < end:
            for message in await self.messages(room):
                if wanted(message):
                    return message
            await asyncio.sleep(0.1)
        raise AssertionError([(it.text, it.reactions) for it in await self.messages(room)])

    async def leave(self):
        await self.client.close()


class Message:
    def __init__(self, event):
        self.id, self.sender, self.contents, self.reactions = event["event_id"], event["sender"], [event["content"]], []
        self.at = event["origin_server_ts"]

    @property
    def text(self):
        return self.contents[-1]["body"]

    @property
    def html(self):
        return self.contents[-1].get("formatted_body", "")

    def offered(self):
        return set(self.contents[-1].get("dmplz.card", {}).get("choices", {}))

    def menu(self, of):
        return [key for who, key in self.reactions if who == of.id]
