"""The manifest of the provider. The operator sets DMPLZ_ACME_TOKEN, DMPLZ_ACME_ROOM and, for another than the default server,
DMPLZ_ACME_SERVER."""

from wit_world.exports.provider import (
    Answering,
    ChatKind,
    ChatSpec,
    Limits,
    Manifest,
    SecretHeader,
    SecretPlace_Header,
    SecretSpec,
    SettingKind,
    SettingSpec,
    Transport,
    Users,
)
from wit_world.imports.types import Words

# The maximum length of a message in UTF-16 units. State the source of the limit.
TEXT = 4_000

MANIFEST = Manifest(
    name="acme",
    version="0.1.0",
    settings=[
        SettingSpec(
            name="server",
            help=Words(en="The URL of the server.", ko="서버의 URL입니다."),
            kind=SettingKind.URL,
            required=False,
            default="https://chat.acme.example",
        )
    ],
    secrets=[
        SecretSpec(
            name="token",
            help=Words(en="The bot's token.", ko="봇의 토큰입니다."),
            required=True,
            instead_of=None,
            origins=["{setting:server}"],
            places=[SecretPlace_Header(SecretHeader(name="authorization", value="Bearer {secret:token}"))],
            renewal=None,
        )
    ],
    chats=[ChatSpec(name="room", help=Words(en="The id of the room to ask in.", ko="물어볼 방의 id입니다."), kind=ChatKind.ROOM)],
    users=Users.IDENTIFIED,
    origins=["{setting:server}"],
    transports=[
        Transport(
            name="polling",
            help="Asks the server every second what happened.",
            limits=Limits(text=TEXT, choices=10, attachment=0, notice=200),
            answering=Answering.BUTTONS,
            poll_interval=1_000,
            presses_kept=None,
            persistent=False,
            reads_chat=True,
            threads=False,
            commands=False,
            files=False,
            drafts=False,
        )
    ],
)
