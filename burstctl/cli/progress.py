"""Shows a run while it lasts: a live display for people, lines for logs. Knows a snapshot of the run, not the run."""

import math
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, TextIO, cast

import anyio

from burstctl.cli.console import ProgressChoice
from burstctl.summary import Snapshot
from burstctl.units import format_duration, format_ms

if TYPE_CHECKING:
    from rich.console import RenderableType

LINE_INTERVAL_S = 5.0
# Rendering shares a core with the pacer: often enough to look alive, no more.
LIVE_INTERVAL_S = 0.2

Sleep = Callable[[float], Awaitable[None]]


class _Outlet:
    """A stream that goes quiet when nobody reads on: the run matters more than being watched."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.broken = False
        self.encoding = getattr(stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self._stream.flush)

    def _try(self, do: Callable[[], object]) -> None:
        if self.broken:
            return
        try:
            do()
        except (OSError, ValueError):  # closed, a broken pipe, a full disk
            self.broken = True


async def show(
    choice: ProgressChoice,
    snapshot: Callable[[], Snapshot],
    stream: TextIO,
    *,
    color: bool = False,
    sleep: Sleep = anyio.sleep,
) -> None:
    """Show `snapshot()` on `stream` until cancelled, or until the stream breaks."""
    outlet = _Outlet(stream)
    if choice is ProgressChoice.LIVE:
        await _show_live(snapshot, outlet, sleep, color=color)
    elif choice is ProgressChoice.LINES:
        await _show_lines(snapshot, outlet, sleep)


async def _show_lines(snapshot: Callable[[], Snapshot], outlet: _Outlet, sleep: Sleep) -> None:
    while not outlet.broken:
        await sleep(LINE_INTERVAL_S)
        outlet.write(line(snapshot()) + "\n")
        outlet.flush()


async def _show_live(snapshot: Callable[[], Snapshot], outlet: _Outlet, sleep: Sleep, *, color: bool) -> None:
    from rich.console import Console
    from rich.live import Live

    # rich ends the process on a broken pipe, hence the outlet; and it must look for no environment of its own.
    console = Console(
        file=cast("TextIO", outlet),
        force_terminal=True,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        highlight=False,
        emoji=False,
        _environ={},
    )
    with Live(
        console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as live:
        while not outlet.broken:
            live.update(_panel(snapshot()), refresh=True)
            await sleep(LIVE_INTERVAL_S)


def line(now: Snapshot) -> str:
    """Say how the run stands: `12.0s  sent 3,540/12,000 (29%)  296/s  in flight 21/60  …`."""
    sent = f"sent {now.attempted:,}/{now.planned:,} ({_percent(now)}%)"
    return "  ".join((f"{now.elapsed_s:.1f}s", sent, *_state(now)))


def _state(now: Snapshot) -> Iterable[str]:
    yield f"{now.sent_1s:,}/s"
    yield f"in flight {now.in_flight:,}" + (f"/{math.ceil(now.window):,}" if now.window is not None else "")
    if now.p95_ms is not None:
        yield f"p95 {format_ms(now.p95_ms)} ms"
    yield f"failed {now.failed:,}"
    yield f"retrying {now.waiting:,}"
    if now.paused_s > 0:
        yield f"paused, {format_duration(now.paused_s)} left"


def _percent(now: Snapshot) -> int:
    # Rounded down: 100% is said when all are sent, not before.
    return 100 * now.attempted // now.planned if now.planned else 100


def _panel(now: Snapshot) -> "RenderableType":
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    bar = ProgressBar(now.planned, now.attempted, width=30, complete_style="cyan", finished_style="green")
    head = Table.grid(padding=(0, 2))
    sent = f"{now.attempted:,}/{now.planned:,} sent  {_percent(now)}%"
    head.add_row(f"{now.elapsed_s:6.1f} s", bar, sent, _remaining(now))
    state = Text(
        "  ".join(_state(now)),
        "red" if now.failed else "yellow" if now.paused_s > 0 else "",
        no_wrap=True,
        overflow="ellipsis",
    )
    return Group(head, state)


def _remaining(now: Snapshot) -> str:
    """Estimate how long sending will go on at the rate of the last second."""
    unsent = now.planned - now.attempted + now.waiting
    if not unsent:
        return f"waiting for {now.in_flight:,} answers" if now.in_flight else ""
    return f"ETA {format_duration(now.paused_s + unsent / now.sent_1s)}" if now.sent_1s else ""
