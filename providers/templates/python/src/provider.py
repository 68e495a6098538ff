"""A provider of dmplz for Acme, an imaginary messenger. Replace it with yours: `server` sends HTTP requests, `card` formats
cards, and `manifest` describes the provider.

| request | what it does |
|---|---|
| `GET /me` | returns the bot's account |
| `POST /rooms/ROOM/messages` | posts a message |
| `PUT /messages/ID` | edits it |
| `GET /events?after=CURSOR` | returns what people pressed and wrote since |
| `POST /presses/PRESS` | shows a notice to the person who pressed |
"""

from typing import Any, List, Optional
from urllib.parse import quote

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports.provider import Check, Diagnosis, Download, Identity, Introduction, Manifest, Meeting, Subject
from wit_world.imports.http import Method
from wit_world.imports.types import (
    Batch,
    Card,
    Chat,
    Chosen,
    Command,
    Error_NotFound,
    Error_Unavailable,
    Event,
    Event_Chosen,
    Event_Said,
    MessageRef,
    OpenChat,
    Said,
    SentFile,
    Setting,
    User,
    Watch,
)

from card import shown
from manifest import MANIFEST
from reply import members, text
from server import call, connect_to


class Provider(exports.Provider):
    def describe(self) -> Manifest:
        return MANIFEST

    def connect(self, settings: List[Setting], transport: str) -> None:
        connect_to(settings)

    def open(self, chat: Chat) -> OpenChat:
        # Other people than the listed ones may be in a room.
        return OpenChat(chat.value, owner=None)

    def diagnose(self, chat: Chat) -> Diagnosis:
        bot = members(call(Method.GET, "/me"))
        logged_in = Check(Subject.EVENTS, ok=True, detail="the server knows the token")
        return Diagnosis(Identity(text(bot, "id") or "", text(bot, "name") or ""), [logged_in])

    def introduce(self, code: str) -> Optional[Introduction]:
        # Nobody can write to this bot first, so the operator names the room.
        return None

    def meet(self, cursor: str, wait: int) -> Meeting:
        return Meeting([], cursor)

    def post(self, chat: OpenChat, card: Card) -> MessageRef:
        posted = message(chat.id, call(Method.POST, f"/rooms/{escaped(chat.id)}/messages", shown(card)))
        if posted is None:
            raise Err(Error_Unavailable("a message without id or number"))
        return posted

    def revise(self, message: MessageRef, card: Card) -> None:
        call(Method.PUT, f"/messages/{escaped(message.id)}", shown(card))

    def receive(self, cursor: str, watching: List[Watch], wait: int) -> Batch:
        happened = members(call(Method.GET, f"/events?after={escaped(cursor)}"))
        found = happened.get("events")
        # An unreadable event is skipped, so that it does not hide the events after it.
        events = [event(it) for it in found] if isinstance(found, list) else []
        return Batch([it for it in events if it is not None], text(happened, "next") or cursor)

    def open_thread(self, chat: OpenChat, name: str) -> Optional[OpenChat]:
        # The messenger has no threads, commands, files and drafts, as the manifest says.
        return None

    def set_thread(self, thread: OpenChat, name: str, closed: bool) -> None:
        pass

    def set_commands(self, chat: OpenChat, commands: List[Command]) -> None:
        pass

    def locate(self, file: SentFile) -> Download:
        raise Err(Error_NotFound())

    def draft(self, chat: OpenChat, key: int, text: str) -> None:
        pass

    def acknowledge(self, event: Chosen, notice: Optional[str]) -> None:
        call(Method.POST, f"/presses/{escaped(event.token)}", {"text": notice or ""})


def message(room: str, posted: Any) -> Optional[MessageRef]:
    """Returns the reference of a message; none where it has none."""
    id, number = text(posted, "id"), members(posted).get("number")
    if id is None or type(number) is not int or not 0 <= number < 2**64:
        return None
    return MessageRef(room, id, number)


def event(it: Any) -> Optional[Event]:
    """Returns the event of a person's input; none for anything else. The host decides whether they may answer."""
    room, by = text(it, "room"), members(it).get("user")
    place = message(room, members(it).get("message")) if room is not None else None
    who = text(by, "id")
    if place is None or who is None:
        return None
    user = User(who, text(by, "name") or "", members(by).get("bot") is True)
    choice, press, said = text(it, "button"), text(it, "press"), text(it, "text")
    if choice is not None and press is not None:
        return Event_Chosen(Chosen(place, text(it, "nonce"), choice, user, press, text=None))
    return Event_Said(Said(place, None, user, said, [])) if said is not None else None


def escaped(part: str) -> str:
    """Returns a part of a URL."""
    return quote(part, safe="")
