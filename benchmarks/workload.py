"""What every client is asked to send, and what it has to say afterwards. Knows no client and no server."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

BODY = '{"text": "' + "x" * 288 + '"}'
ANSWER = '{"label": "' + "y" * 187 + '"}'


@dataclass(frozen=True, slots=True)
class Load:
    """`requests` POSTs of `BODY` over `connections`, at a rate or, without one, as fast as answers come."""

    url: str
    home: Path
    """A directory for the client's files."""
    connections: int
    requests: int
    rate_per_s: float | None = None

    def write_body(self) -> Path:
        """Put the body where clients that read it from a file find it."""
        path = self.home / "body.json"
        path.write_text(BODY)
        return path

    @property
    def duration_s(self) -> float:
        """How long clients that count seconds instead of requests are to run."""
        return self.requests / self.rate_per_s if self.rate_per_s else 2.0


@dataclass(frozen=True, slots=True)
class Command:
    """How a client is started."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a client claims."""

    completed: int
    """Requests answered with 2xx."""
    p99_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """A client: how it is started, and how its output is read."""

    name: str
    program: str
    """Looked for on the PATH."""
    closed_loop: Callable[[Load], Command] | None
    open_loop: Callable[[Load], Command] | None
    read: Callable[[str, Load], Shown]
    starts_slowly: bool = False
    """Its start-up is worth measuring and taking off."""
