"""Formats a card. The server takes plain text, so nothing in it can become markup."""

from componentize_py_types import Err
from wit_world.imports.types import Block_File, Card, Error_TooLarge

from manifest import TEXT


def shown(card: Card) -> dict:
    """Returns a message that shows a card. A card that does not fit is refused before anything is sent, and the host then posts
    less text."""
    lines = [card.title] if card.title else []
    for block in card.body:
        # The manifest says that there are no files.
        if isinstance(block, Block_File):
            raise Err(Error_TooLarge())
        lines.append(block.value)
    text = "\n".join(lines)
    if units(text) > TEXT:
        raise Err(Error_TooLarge())
    # A card without choices has ended: it has no buttons.
    buttons = [{"id": choice.id, "label": choice.label} for choice in card.choices]
    return {"text": text, "nonce": card.tag, "buttons": buttons}


def units(text: str) -> int:
    """Returns the length in UTF-16 units."""
    return sum(2 if ord(character) > 0xFFFF else 1 for character in text)
