"""What a server is asked and what it does about it, as values. Knows no sockets."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as it came in."""

    path: str
    """Without its query."""
    index: int
    """Its place in the plan, from 0; -1 where it names none."""
    arrival: int
    """How many came before it, on all connections."""
    attempt: int
    """1 for the first time that this place in the plan is asked for."""
    at_s: float
    """Since the server's start."""


class Then(Enum):
    """What becomes of the connection after the reply."""

    KEEP = auto()
    CLOSE = auto()
    RESET = auto()
    HANG = auto()
    """It stays open and silent."""
    DIE = auto()
    """The whole server goes: connections break off, nobody listens any more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Bytes for the wire."""

    data: bytes
    delay_s: float = 0.0
    then: Then = Then.KEEP


Nature = Callable[[Asked], Reply]
"""What a server is like: its reply to every request."""


def http(status: int = 200, body: bytes = b'{"label": "ok"}', **headers: str) -> bytes:
    """Write a whole answer; underscores in header names stand for dashes."""
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if status != HTTPStatus.NO_CONTENT:
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def http_json(document: object, **headers: str) -> bytes:
    """Write a whole JSON answer."""
    return http(200, json.dumps(document).encode(), content_type="application/json", **headers)
