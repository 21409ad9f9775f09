"""The fleet's HTTP server on loopback: sockets and timers around the model. Knows nothing of how requests queue."""

import asyncio
import errno
from types import TracebackType
from typing import Self

from burstctl.clock import Clock, LoopClock, Timer
from burstctl.errors import UsageError
from burstctl.fleet.connection import HttpConnection
from burstctl.fleet.endpoints import Endpoints
from burstctl.fleet.model import FleetModel
from burstctl.fleet.spec import FleetSpec
from burstctl.fleet.stats import FleetStats

_SWEEP_EVERY_S = 1.0
# An unthrottled burst opens a connection per request at once; a short backlog would cost it a second per SYN lost.
_BACKLOG = 4096
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class FleetServer:
    """A running fleet; `aclose`, or leaving its context, stops it and drops its connections."""

    def __init__(self, spec: FleetSpec, clock: Clock) -> None:
        self._clock = clock
        self._model = FleetModel(spec, start_s=clock.now())
        self._endpoints = Endpoints(self._model, clock, self._arm)
        self._connections: set[HttpConnection] = set()
        self._server: asyncio.Server | None = None
        self._due_s: float | None = None
        self._timer: Timer | None = None
        self._sweeper: Timer | None = None
        self.url = ""
        """Scheme, host and port."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def listen(self, host: str, port: int) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, host, port, backlog=_BACKLOG)
        bound_port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://[{host}]:{bound_port}" if ":" in host else f"http://{host}:{bound_port}"
        self._arm()
        self._sweep()

    @property
    def connections(self) -> int:
        """Open connections, idle ones included."""
        return len(self._connections)

    def stats(self) -> FleetStats:
        return self._model.stats(self._clock.now())

    def reset_stats(self) -> None:
        """Count from zero; the requests in the fleet stay in it."""
        self._model.reset_stats(self._clock.now())

    async def aclose(self) -> None:
        for timer in (self._timer, self._sweeper):
            if timer is not None:
                timer.cancel()
        if self._server is not None:
            self._server.close()
            for connection in tuple(self._connections):
                connection.abort()
            await self._server.wait_closed()

    def _connect(self) -> HttpConnection:
        return HttpConnection(self._endpoints.handle, self._clock, self._connections)

    def _arm(self) -> None:
        """Have the model looked at when it next has something to do."""
        due_s = self._model.next_event()
        if due_s is None or (self._due_s is not None and self._due_s <= due_s):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due_s = due_s
        self._timer = self._clock.call_at(due_s, self._wake)

    def _wake(self) -> None:
        # A timer may be early: then nothing has finished, and it is set again.
        self._due_s = self._timer = None
        self._endpoints.answer_finished()
        self._arm()

    def _sweep(self) -> None:
        now_s = self._clock.now()
        for connection in tuple(self._connections):
            connection.end_if_overdue(now_s)
        self._sweeper = self._clock.call_at(now_s + _SWEEP_EVERY_S, self._sweep)


async def serve(spec: FleetSpec, *, host: str = "127.0.0.1", port: int = 0, clock: Clock | None = None) -> FleetServer:
    """Start a fleet on loopback, port 0 for a free one; a port that can't be had is a `UsageError`."""
    if host not in _LOOPBACK:
        raise UsageError(f"the fleet listens on loopback only, not on {host}")
    server = FleetServer(spec, clock or LoopClock(asyncio.get_running_loop()))
    try:
        await server.listen(host, port)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else f"can't be had: {error.strerror or error}"
        raise UsageError(f"port {port} {why}", hint="choose another one, or 0 for a free one") from error
    return server
