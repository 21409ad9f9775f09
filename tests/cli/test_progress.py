"""What people and logs see of a run while it lasts."""

import asyncio
import io
from dataclasses import replace
from typing import TextIO, cast

import anyio
import pytest

from burstctl.cli.console import ProgressChoice
from burstctl.cli.progress import line, show
from burstctl.summary import Snapshot

NOW = Snapshot(
    elapsed_s=12.0,
    planned=12_000,
    attempted=3_540,
    succeeded=3_500,
    failed=0,
    attempts=3_560,
    in_flight=21,
    waiting=3,
    failing=1,
    sent_1s=296,
    rate_per_s=300.0,
    window=60.4,
    p95_ms=84.0,
)
START = Snapshot(0.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 300.0, None, None)


def watch(choice: ProgressChoice, stream: TextIO, snapshot: Snapshot, *, for_s: float, color: bool = False) -> None:
    """Show progress inside a task group that is cancelled after `for_s` of virtual time."""

    async def run() -> None:
        elapsed = 0.0

        async def sleep(seconds: float) -> None:
            nonlocal elapsed
            elapsed += seconds
            if elapsed > for_s:
                group.cancel_scope.cancel()
            await anyio.lowlevel.checkpoint()

        async with anyio.create_task_group() as group:
            await show(choice, lambda: replace(snapshot, elapsed_s=elapsed), stream, color=color, sleep=sleep)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("snapshot", "text"),
    [
        (NOW, "12.0s  sent 3,540/12,000 (29%)  296/s  in flight 21/61  p95 84.0 ms  failed 0  retrying 3"),
        (
            replace(NOW, window=None, p95_ms=None, failed=7, paused_s=2.4),
            "12.0s  sent 3,540/12,000 (29%)  296/s  in flight 21  failed 7  retrying 3  paused, 2.4 s left",
        ),
        (START, "0.0s  sent 0/0 (100%)  0/s  in flight 0  failed 0  retrying 0"),
        (
            replace(NOW, attempted=11_999),
            "12.0s  sent 11,999/12,000 (99%)  296/s  in flight 21/61  p95 84.0 ms  failed 0  retrying 3",
        ),
    ],
    ids=["midway", "paused", "empty", "almost"],
)
def test_a_line_says_how_the_run_stands(snapshot: Snapshot, text: str) -> None:
    assert line(snapshot) == text


def test_a_log_of_ten_minutes_stays_short_and_plain() -> None:
    log = io.StringIO()
    watch(ProgressChoice.LINES, log, NOW, for_s=600.0)
    lines = log.getvalue().splitlines()
    assert [text.split("  ")[0] for text in lines[:3]] == ["5.0s", "10.0s", "15.0s"]
    assert 100 <= len(lines) < 200
    assert log.getvalue().isascii()
    assert not {"\r", "\x1b"} & set(log.getvalue())


def test_a_live_display_leaves_nothing_behind() -> None:
    terminal = io.StringIO()
    watch(ProgressChoice.LIVE, terminal, NOW, for_s=2.0)
    shown = terminal.getvalue()
    assert all(text in shown for text in ("3,540/12,000 sent  29%", "in flight 21/61", "p95 84.0 ms", "ETA 28.6 s"))
    assert 5 <= shown.count("in flight") <= 20
    assert shown.endswith("\x1b[?25h\r\x1b[1A\x1b[2K\x1b[1A\x1b[2K")
    assert "m" not in {shown[found + 2 :][:1] for found in range(len(shown)) if shown.startswith("\x1b[", found)}


def test_a_live_display_counts_down_what_is_left_to_wait_for() -> None:
    terminal = io.StringIO()
    watch(ProgressChoice.LIVE, terminal, replace(NOW, paused_s=7.0, waiting=0, planned=3_540), for_s=0.1, color=True)
    assert "paused, 7.0 s left" in terminal.getvalue()
    assert "waiting for 21 answers" in terminal.getvalue()


def test_off_writes_nothing() -> None:
    stream = io.StringIO()
    watch(ProgressChoice.OFF, stream, NOW, for_s=60.0)
    assert not stream.getvalue()


class Broken:
    """A stream whose reader has gone."""

    encoding = "utf-8"
    writes = 0

    def write(self, text: str) -> int:
        self.writes += 1
        raise BrokenPipeError

    def flush(self) -> None:
        raise BrokenPipeError


@pytest.mark.parametrize("choice", [ProgressChoice.LIVE, ProgressChoice.LINES])
def test_a_broken_stream_is_left_alone_and_the_run_goes_on(choice: ProgressChoice) -> None:
    broken = Broken()
    watch(choice, cast("TextIO", broken), NOW, for_s=60.0)
    assert broken.writes == 1
    closed = io.StringIO()
    closed.close()
    watch(choice, closed, NOW, for_s=60.0)
