"""Turns SIGINT and SIGTERM into an order to stop; the second one ends the process at once."""

import os
import signal
import sys
from collections.abc import Callable

import anyio

from burstctl.control.guard import Stop
from burstctl.exit_code import ExitCode
from burstctl.summary import Ending

GRACE_S = 5.0
"""How long answers in flight are waited for: less than the 10 s after which CI runners kill."""

_ENDINGS = {
    signal.SIGINT: Ending.INTERRUPTED,
    signal.SIGTERM: Ending.TERMINATED,
    # The terminal or the connection to it is gone: the reports are all that will be left.
    **({signal.SIGHUP: Ending.TERMINATED} if hasattr(signal, "SIGHUP") else {}),
}
_EXIT_CODES = {Ending.INTERRUPTED: ExitCode.INTERRUPTED, Ending.TERMINATED: ExitCode.TERMINATED}


class Interrupts:
    """Hands the first signal to whoever is in charge at that moment."""

    def __init__(self, clean_up: Callable[[], None]) -> None:
        self._clean_up = clean_up
        self.on_stop: Callable[[], None] = lambda: None
        """Called at the first signal; `stop` is set then."""
        self.stop: Stop | None = None

    async def watch(self) -> None:
        """Wait for signals, until cancelled."""
        with anyio.open_signal_receiver(*_ENDINGS) as signals:
            async for received in signals:
                name = signal.Signals(received).name
                if self.stop is not None:
                    self._clean_up()
                    _say(f"burstctl: second {name}: ended at once, without a report")
                    os._exit(_EXIT_CODES[_ENDINGS[signal.Signals(received)]])
                _say(f"burstctl: {name}: no more requests; waiting up to {GRACE_S:g} s for answers in flight")
                self.stop = Stop(_ENDINGS[signal.Signals(received)], f"{name} received", GRACE_S)
                self.on_stop()


def _say(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - it must come out even while a display is drawn
    except OSError:  # nobody reads it any more
        return
