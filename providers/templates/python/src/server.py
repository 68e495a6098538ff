"""Sends requests to the server, and converts its errors to errors for the host."""

import json
from typing import Any, List, Optional

from componentize_py_types import Err
from wit_world.imports import http
from wit_world.imports.http import Header, Method, Request, Response
from wit_world.imports.types import (
    Error,
    Error_BadSetting,
    Error_Deadline,
    Error_Denied,
    Error_NotFound,
    Error_RateLimited,
    Error_Refused,
    Error_Rejected,
    Error_TooLarge,
    Error_Unauthorized,
    Error_Unavailable,
    Setting,
)

from reply import decode

# The URL of the server. It is the only thing that the provider keeps, and `connect` sets it in every instance.
url = ""


def connect_to(settings: List[Setting]) -> None:
    global url
    given = next((setting.value.strip() for setting in settings if setting.name == "server"), "")
    if not given.startswith(("https://", "http://")):
        raise Err(Error_BadSetting(("server", "a URL, such as https://chat.acme.example")))
    url = given.rstrip("/")


def call(method: Method, path: str, body: Optional[dict] = None) -> Any:
    """Sends a request, and reads its reply as JSON."""
    # The host fills in the token; this code never sees it.
    headers = [Header("authorization", "Bearer {secret:token}")]
    sent = b""
    if body is not None:
        headers.append(Header("content-type", "application/json"))
        sent = json.dumps(body).encode()
    try:
        reply = http.send(Request(method, url + path, headers, sent, None))
    except Err as error:
        raise Err(unsent(error.value)) from None
    if not 200 <= reply.status <= 299:
        raise Err(refusal(reply))
    try:
        return decode(reply.body)
    except ValueError:
        raise Err(Error_Unavailable("a reply that is no JSON")) from None


def unsent(error: http.Error) -> Error:
    """Converts an error of the host's HTTP."""
    match error:
        case http.Error_Refused(why):
            return Error_Refused(why)
        case http.Error_Unreachable(why):
            return Error_Unavailable(why)
        case http.Error_Deadline():
            return Error_Deadline()
        case http.Error_Timeout():
            return Error_Unavailable("the server did not reply in time")
        case _:
            return Error_Unavailable("a reply that is too large")


def refusal(reply: Response) -> Error:
    """Converts a status to an error, by which the host waits, tells the operator, or tries less text."""
    match reply.status:
        case 401:
            return Error_Unauthorized()
        case 403:
            return Error_Denied(None)
        case 404:
            return Error_NotFound()
        case 413:
            return Error_TooLarge()
        case 429:
            seconds = next((header.value for header in reply.headers if header.name == "retry-after"), "")
            return Error_RateLimited(min(int(seconds), 86_400) * 1000 if seconds.isdecimal() else None)
        case 400 | 422:
            return Error_Rejected(reply.body.decode(errors="replace")[:200])
        case status:
            return Error_Unavailable(f"status {status}")
