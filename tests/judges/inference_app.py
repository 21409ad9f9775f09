"""An inference server as teams write it: an ASGI app whose worker serves a few requests at once and lets others wait.

Settings come from the environment: SLOTS per worker, SERVICE_MS as "least most", QUEUE_LIMIT, above which a worker
answers 503 (none by default), and ANSWER=first for one that answers 202 and does the work later. Knows nothing of
burstctl.
"""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class InferenceApp:
    """One worker's model; `count` hears of each request that begins to wait (1), and that no longer does (-1)."""

    def __init__(
        self,
        slots: int,
        service_s: tuple[float, float],
        *,
        queue_limit: int | None = None,
        answers_first: bool = False,
        count: Callable[[int], None] = lambda change: None,
    ) -> None:
        self._slots = asyncio.Semaphore(slots)
        self._service_s = service_s
        self._queue_limit = queue_limit
        self._answers_first = answers_first
        self._count = count
        self._waiting = 0
        self._rng = random.Random()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        while (await receive()).get("more_body"):
            pass
        if self._queue_limit is not None and self._waiting >= self._queue_limit:
            await answer(send, 503)
        elif self._answers_first:
            await answer(send, 202)
            await self._predict()
        else:
            await self._predict()
            await answer(send, 200)

    async def _predict(self) -> None:
        self._wait(1)
        try:
            await self._slots.acquire()
        finally:
            self._wait(-1)
        try:
            await asyncio.sleep(self._rng.uniform(*self._service_s))
        finally:
            self._slots.release()

    def _wait(self, change: int) -> None:
        self._waiting += change
        self._count(change)


async def answer(send: Send, status: int, body: bytes = b'{"label": "ok"}', kind: bytes = b"application/json") -> None:
    """Answer a request."""
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]})
    await send({"type": "http.response.body", "body": body})


def app_of(environ: "os._Environ[str]", count: Callable[[int], None] = lambda change: None) -> InferenceApp:
    """Make the app that the environment describes."""
    least_ms, most_ms = map(float, environ.get("SERVICE_MS", "10 40").split())
    limit = environ.get("QUEUE_LIMIT")
    return InferenceApp(
        int(environ.get("SLOTS", "4")),
        (least_ms / 1000, most_ms / 1000),
        queue_limit=int(limit) if limit else None,
        answers_first=environ.get("ANSWER") == "first",
        count=count,
    )


app = app_of(os.environ)
