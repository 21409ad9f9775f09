"""A command's number is taken; one that hangs, floods or misbehaves is ended with all that it started."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import uvloop

from burstctl.probe.probe import MAIN, ProbeError, Reading

Read = Callable[..., list[Reading]]
Opened = Callable[..., AbstractAsyncContextManager[Any]]

PYTHON = sys.executable


def test_a_command_prints_a_number(read: Read) -> None:
    noisy = "import sys; sys.stderr.write('warning\\n' * 100_000); print(' 7.5 ')"
    assert read("command", 2, command=[PYTHON, "-c", noisy]) == [{MAIN: 7.5}] * 2


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('many')", "the command did not print one number"),
        ("print(1); print(2)", "the command did not print one number"),
        ("pass", "the command did not print one number"),
        ("print(float('nan'))", "the command did not print one number"),
        ("print('1_000')", "the command did not print one number"),
        ("import sys; print(5, file=sys.stderr)", "the command did not print one number"),
        ("print(5); raise SystemExit(3)", "the command ended with code 3"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9 ended the command"),
        ("print('x' * 100_000)", "the command says more than 64 KiB"),
        ("while True: print('x' * 1000)", "the command says more than 64 KiB"),
    ],
)
def test_commands_of_no_use_are_told(read: Read, code: str, said: str) -> None:
    with pytest.raises(ProbeError) as told:
        read("command", command=[PYTHON, "-c", code])
    assert str(told.value) == said


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["/no/such/command"], "the command can't be started: no such file"),
        (["/"], "the command can't be started: permission denied"),
        (["a\0b"], "the command can't be started: embedded null byte"),
    ],
)
def test_a_command_that_can_not_be_started(read: Read, command: list[str], said: str) -> None:
    with pytest.raises(ProbeError, match=said):
        read("command", command=command)


def test_its_arguments_are_read_by_no_shell(read: Read) -> None:
    assert read("command", command=[PYTHON, "-c", "import sys; print(len(sys.argv[1]))", "$(id); `id` | *"]) == [
        {MAIN: 15}
    ]


LOOPS = [asyncio.new_event_loop, uvloop.new_event_loop]


def give_up(opened: Opened, command: list[str], loop: Any) -> float:
    """Read a command that hangs, with a time-out; give how long the end took."""

    async def main() -> float:
        async with opened("command", command=command) as probe:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(2):
                    await probe.read()
            return 0.0

    began_s = time.monotonic()
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main())
    return time.monotonic() - began_s


@pytest.mark.parametrize("loop", LOOPS)
def test_a_command_that_hangs_is_ended_with_all_that_it_started(opened: Opened, tmp_path: Path, loop: Any) -> None:
    note = tmp_path / "child"
    code = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        f"open({str(note)!r}, 'w').write(str(child.pid)); time.sleep(60)"
    )
    give_up(opened, [PYTHON, "-c", code], loop)
    pid = int(note.read_text())
    for _ in range(100):
        if not _runs(pid):
            return
        time.sleep(0.02)
    pytest.fail("its child still runs")


@pytest.mark.parametrize("loop", LOOPS)
def test_a_stranger_that_holds_its_output_holds_up_nothing(opened: Opened, tmp_path: Path, loop: Any) -> None:
    """A daemon with a session of its own can't be ended with the command; it may not be waited for either."""
    note = tmp_path / "daemon"
    code = (
        "import subprocess, sys;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(30)'], start_new_session=True);"
        f"open({str(note)!r}, 'w').write(str(child.pid)); print(5)"
    )
    try:
        assert give_up(opened, [PYTHON, "-c", code], loop) < 10
    finally:
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            os.kill(int(note.read_text()), 9)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except (ProcessLookupError, FileNotFoundError):
        return False
