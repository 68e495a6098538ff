"""Reads replies. Python's JSON takes values of any depth, which exhaust the stack of a component, and texts that are no
Unicode. The limits keep a faulty server from costing the instance."""

import json
from typing import Any, Optional

BYTES = 256 * 1024
DEPTH = 64


def decode(body: bytes) -> Any:
    """Returns the value of a reply. Raises a `ValueError` if it is no JSON, too long or too deep."""
    if len(body) > BYTES:
        raise ValueError("too long")
    depth, quoted, escaped = 0, False, False
    for byte in body:
        if escaped:
            escaped = False
        elif byte == 0x5C:  # a backslash
            escaped = True
        elif byte == 0x22:  # a quotation mark
            quoted = not quoted
        elif not quoted and byte in b"[{":
            depth += 1
        elif not quoted and byte in b"]}":
            depth -= 1
        if depth > DEPTH:
            raise ValueError("nested too deeply")
    return json.loads(body)


def members(value: Any) -> dict:
    """Returns the members of a JSON object; none where it is no object."""
    return value if isinstance(value, dict) else {}


def text(value: Any, name: str) -> Optional[str]:
    """Returns a member that is a text. A lone surrogate in it, which the contract cannot carry, becomes a question mark."""
    found = members(value).get(name)
    return found.encode(errors="replace").decode() if isinstance(found, str) else None
