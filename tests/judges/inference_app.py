"""An inference server as teams write it: an ASGI app whose worker serves a few requests at once and lets others wait.

Settings come from the environment: SLOTS per worker, SERVICE_MS as "least most", and QUEUE_LIMIT, above which a worker
answers 503 (none by default). Knows nothing of burstctl.
"""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]


class InferenceApp:
    """One worker's model."""

    def __init__(self, slots: int, service_s: tuple[float, float], queue_limit: int | None) -> None:
        self._slots = asyncio.Semaphore(slots)
        self._service_s = service_s
        self._queue_limit = queue_limit
        self._waiting = 0
        self._rng = random.Random()

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        if scope["type"] != "http":
            return
        while (await receive()).get("more_body"):
            pass
        status = 503
        if self._queue_limit is None or self._waiting < self._queue_limit:
            await self._predict()
            status = 200
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"label": "ok"}'})

    async def _predict(self) -> None:
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            await asyncio.sleep(self._rng.uniform(*self._service_s))
        finally:
            self._slots.release()


def app_of(environ: "os._Environ[str]") -> InferenceApp:
    """Make the app that the environment describes."""
    least_ms, most_ms = map(float, environ.get("SERVICE_MS", "10 40").split())
    limit = environ.get("QUEUE_LIMIT")
    return InferenceApp(
        int(environ.get("SLOTS", "4")), (least_ms / 1000, most_ms / 1000), int(limit) if limit else None
    )


app = app_of(os.environ)
