"""One HTTP request with its answer to come, as the connection and the endpoints share it. Knows no sockets."""

from collections.abc import Callable
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request, read."""

    method: str
    path: str
    """Without the query."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    """An answer to send."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()

    def encode(self, *, close: bool, with_body: bool, date_s: float) -> bytes:
        """Put it on the wire's form; an answer to HEAD has the headers only."""
        lines = [
            f"HTTP/1.1 {self.status} {_reason(self.status)}",
            f"Date: {formatdate(date_s, usegmt=True)}",
            f"Content-Type: {self.content_type}",
            f"Content-Length: {len(self.body)}",
            *(f"{name}: {value}" for name, value in self.headers),
            f"Connection: {'close' if close else 'keep-alive'}",
            "\r\n",
        ]
        head = "\r\n".join(lines).encode("latin-1")
        return head + self.body if with_body else head


class Exchange:
    """A request that waits for its answer; answering it twice, or after the client has gone, does nothing."""

    __slots__ = ("_ready", "close", "on_gone", "request", "response")

    def __init__(self, request: Request, *, close: bool, ready: Callable[[], None]) -> None:
        self.request = request
        self.close = close
        """The connection ends after the answer."""
        self.response: Response | None = None
        self.on_gone: Callable[[], None] | None = None
        """Called if the client goes before there is an answer."""
        self._ready = ready

    def answer(self, response: Response) -> None:
        if self.response is None:
            self.response = response
            self._ready()


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unassigned"
