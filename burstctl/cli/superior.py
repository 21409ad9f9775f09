"""Who may order a run to stop. Knows neither signals nor pipes."""

from collections.abc import Callable
from typing import Protocol

from burstctl.control.guard import Stop


class Superior(Protocol):
    """Who may order a run to stop: signals, or the process that this one works for."""

    stop: Stop | None
    on_stop: Callable[[], None]
    """Called at the order; `stop` is set then."""

    async def watch(self) -> None:
        """Wait for orders, until cancelled."""
        ...
