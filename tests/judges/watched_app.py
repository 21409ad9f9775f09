"""The inference app as its operators want it: what waits for a slot is a gauge in `/metrics`, and is told by the log.

Both are of the whole service, whatever its number of workers, and the log has every change: its greatest number is the
truth that a probe is held to. The workers count together in the file QUEUE_FILE. Knows nothing of burstctl.
"""

import fcntl
import os
import sys

import prometheus_client

from tests.judges.inference_app import InferenceApp, Message, Receive, Send, answer, app_of

_WIDTH = 20


class SharedCount:
    """A number that all workers change; each change is a line of the log, in the order of the changes."""

    def __init__(self, file: int) -> None:
        self._file = file

    def change(self, by: int) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            count = int(self.read()) + by
            os.pwrite(self._file, f"{count:{_WIDTH}d}".encode(), 0)
            sys.stdout.write(f"Queue size = {count}\n")
            sys.stdout.flush()
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def read(self) -> float:
        return float(os.pread(self._file, _WIDTH, 0) or 0)


class WatchedApp:
    """Answers `/metrics` itself and leaves all else to the model."""

    def __init__(self, inner: InferenceApp, registry: prometheus_client.CollectorRegistry) -> None:
        self._inner = inner
        self._registry = registry

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/metrics":
            exposition = prometheus_client.generate_latest(self._registry)
            await answer(send, 200, exposition, prometheus_client.CONTENT_TYPE_LATEST.encode())
        else:
            await self._inner(scope, receive, send)


def watched_app_of(environ: "os._Environ[str]") -> WatchedApp:
    """Make the app that the environment describes."""
    count = SharedCount(os.open(environ["QUEUE_FILE"], os.O_RDWR | os.O_CREAT))
    count.change(0)  # a log that says nothing before the first request has no baseline
    registry = prometheus_client.CollectorRegistry()
    gauge = prometheus_client.Gauge("inference_queue_length", "Requests that wait for a slot", registry=registry)
    gauge.set_function(count.read)
    return WatchedApp(app_of(environ, count.change), registry)


app = watched_app_of(os.environ)
