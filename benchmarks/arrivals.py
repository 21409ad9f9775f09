"""A server that answers after a fixed delay and notes when each request arrived. Run as a program; knows no client.

`python arrivals.py DELAY_MS` prints its URL; `GET /log` gives `{"arrived_ns": […], "served_ms": […]}` and forgets it.
"""

import asyncio
import json
import sys
import time
from typing import cast

import httptools
import uvloop
from workload import ANSWER


def _respond(body: str) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


class Log:
    """Arrivals on the monotonic clock, and how long each took to be answered."""

    def __init__(self) -> None:
        self.arrived_ns: list[int] = []
        self.served_ms: list[float] = []

    def take(self) -> str:
        """Give what was noted, and forget it."""
        text = json.dumps({"arrived_ns": self.arrived_ns, "served_ms": self.served_ms})
        self.arrived_ns, self.served_ms = [], []
        return text


class Connection(asyncio.Protocol):
    """One client connection."""

    _ANSWER = _respond(ANSWER)

    def __init__(self, log: Log, delay_s: float) -> None:
        self._log = log
        self._delay_s = delay_s
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._path = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_url(self, url: bytes) -> None:
        self._path = url

    def on_message_complete(self) -> None:
        if self._path == b"/log":
            self._transport.write(_respond(self._log.take()))
            return
        arrived_ns = time.monotonic_ns()
        self._log.arrived_ns.append(arrived_ns)
        self._loop.call_later(self._delay_s, self._answer, arrived_ns)

    def _answer(self, arrived_ns: int) -> None:
        if not self._transport.is_closing():
            self._transport.write(self._ANSWER)
        self._log.served_ms.append((time.monotonic_ns() - arrived_ns) / 1e6)


async def main(delay_s: float) -> None:
    """Serve until killed."""
    log, loop = Log(), asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(log, delay_s), "127.0.0.1", 0, backlog=4096)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(float(sys.argv[1]) / 1000))
