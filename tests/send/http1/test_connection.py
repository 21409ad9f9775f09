"""However an answer is cut into pieces, and whatever else comes instead of one, the reader gets an end."""

import asyncio
from typing import Any

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.send.http1.connection import Connection
from burstctl.send.http1.received import HeaderReader
from burstctl.send.http1.reply import Reply

HEADS = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nX-A: 1\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"HTTP/1.0 200 OK\r\n\r\n",
    b"HTTP/1.1 204 No Content\r\n\r\n",
]
BODIES = [b"hello, world", b"5\r\nhello\r\n7;x\r\n, world\r\n0\r\nT: x\r\n\r\n", b"hello, world", b""]
INFORMATION = [b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" * 2]


class Wire(asyncio.Transport):
    """A transport that leads nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = False
        self.paused = False

    def write(self, data: Any) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def abort(self) -> None:
        self.aborted = True


class Ledger:
    """Counts what a connection tells its owner."""

    def __init__(self) -> None:
        self.done_as: list[bool] = []

    def opened(self, connection: Connection) -> None: ...

    def done(self, connection: Connection, *, reusable: bool) -> None:
        self.done_as.append(reusable)

    def gone(self, connection: Connection) -> None: ...

    def lost(self, connection: Connection) -> None: ...


async def read(reply: Reply) -> tuple[int | None, list[tuple[bytes, bytes]], bytes, str]:
    body, error = b"", ""
    try:
        while reply.status is None:
            await reply.more()
        async for piece in reply:
            body += piece
    except httpx.TransportError as failure:
        error = type(failure).__name__
    return reply.status, reply.headers, body, error


async def receive(pieces: list[bytes]) -> tuple[tuple[Any, ...], list[bool], bool]:
    loop, ledger, wire = asyncio.get_running_loop(), Ledger(), Wire()
    connection = Connection(loop, loop.time, ledger, HeaderReader())
    connection.connection_made(wire)
    reply = connection.ask(b"GET / HTTP/1.1\r\n\r\n", bodyless=False)
    task = asyncio.create_task(read(reply))
    for piece in pieces:
        await asyncio.sleep(0)
        if wire.aborted:
            break
        connection.data_received(piece)
    if not wire.aborted:
        connection.eof_received()
    connection.connection_lost(None)
    return await asyncio.wait_for(task, 5), ledger.done_as, wire.aborted


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    ends = [*sorted(place % (len(stream) + 1) for place in places), len(stream)]
    starts = [0, *ends]
    return [stream[start:end] for start, end in zip(starts, ends, strict=False) if start < end]


@given(
    kind=st.integers(0, len(HEADS) - 1),
    information=st.sampled_from(INFORMATION),
    places=st.lists(st.integers(0, 300), max_size=20),
)
@settings(deadline=None)
def test_where_an_answer_is_cut_makes_no_difference(kind: int, information: bytes, places: list[int]) -> None:
    (status, _, body, error), done_as, _ = asyncio.run(receive(cut(information + HEADS[kind] + BODIES[kind], places)))
    assert (status, body, error) == ((204, b"", "") if kind == 3 else (200, b"hello, world", ""))
    assert done_as == [kind != 2]


@given(
    start=st.sampled_from([b"", *HEADS]),
    rest=st.binary(max_size=200) | st.text("\r\nHTTP/1.0 2:;aAfF", max_size=60).map(str.encode),
    places=st.lists(st.integers(0, 300), max_size=5),
)
@settings(deadline=None, max_examples=300)
def test_whatever_comes_the_reader_gets_an_end(start: bytes, rest: bytes, places: list[int]) -> None:
    (status, _, _, error), done_as, _ = asyncio.run(receive(cut(start + rest, places)))
    assert status is not None or error
    assert len(done_as) == 1
