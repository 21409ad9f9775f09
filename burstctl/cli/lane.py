"""A way beside the event loop for calls that block. Knows nothing of what they do."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

from burstctl.probe.probe import ProbeError

T = TypeVar("T")

_PATIENCE_S = 0.1
"""A call whose wait was broken off, as when a run ends, is likely to be back by then."""


class ThreadLane:
    """Runs one call at a time.

    No thread pool: one call that hangs would take its place from others, and a pool is waited for when the program
    ends. A thread that hangs is left behind, and there is never a second one.
    """

    def __init__(self) -> None:
        self._free = asyncio.Event()
        self._free.set()

    async def run(self, call: Callable[[], T]) -> T:
        """Give what a call gives; `ProbeError` while an earlier one that was not waited for still runs."""
        if not self._free.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._free.wait(), _PATIENCE_S)
        if not self._free.is_set():
            raise ProbeError("the call before has not come back yet")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: BaseException | None) -> None:
            self._free.set()
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)  # type: ignore[arg-type]

        def work() -> None:
            result, error = None, None
            try:
                result = call()
            except BaseException as raised:  # noqa: BLE001 - it is raised where the call is waited for
                error = raised
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, result, error)

        self._free.clear()
        threading.Thread(target=work, name="burstctl-probe", daemon=True).start()
        return await future
