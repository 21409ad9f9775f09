"""A growing log is followed through rotation, truncation and lines that come in halves; so is a command's output."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, cast

import pytest

from burstctl.cli.lane import ThreadLane
from burstctl.probe.kind import log
from burstctl.probe.probe import MAIN, Means, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

PATTERN = r"Queue size = (?P<value>\S+)"
UNUSED = cast("Any", None)
PYTHON = sys.executable


async def breathe() -> None:
    await asyncio.sleep(0)


def probe(path: Path, pattern: str = PATTERN) -> Any:
    means = Means(UNUSED, UNUSED, UNUSED, time.time, ThreadLane, breathe)
    return log.make(ProbeSettings("queue", "log", keys={"file": str(path), "pattern": pattern}), means)


def read(one: Any) -> list[float]:
    return [reading[MAIN] for reading in asyncio.run(one.read())]


def close(one: Any) -> None:
    asyncio.run(one.aclose())


def write(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "app.log"


def test_of_what_stood_there_only_the_last_value_counts_then_each(path: Path) -> None:
    write(path, "Queue size = 1\nhello\nQueue size = 2\n")
    one = probe(path)
    assert read(one) == [2]
    assert read(one) == []
    write(path, "x Queue size = 842 y\r\nQueue size = 7\r\nQueue si")
    assert read(one) == [842, 7]
    write(path, "ze = 5\n")
    assert read(one) == [5]
    write(path, "Queue size = -3\nQueue size = 1.5e2\n")
    assert read(one) == [-3, 150]
    close(one)


def test_what_was_written_before_a_rotation_is_read_after_it(path: Path, tmp_path: Path) -> None:
    write(path, "Queue size = 1\n" * 5)
    one = probe(path)
    assert read(one) == [1]
    write(path, "Queue size = 842\nQueue si")
    path.rename(tmp_path / "app.log.1")
    write(tmp_path / "app.log.1", "ze = 843\n")
    write(path, "Queue size = 2\n")
    assert read(one) == [842, 843, 2]
    close(one)


def test_half_a_line_of_an_old_log_is_not_joined_to_the_new_one(path: Path, tmp_path: Path) -> None:
    write(path, "Queue size = 1\n")
    one = probe(path)
    assert read(one) == [1]
    write(path, "Queue size = 84")
    path.rename(tmp_path / "app.log.1")
    write(path, "2\nQueue size = 3\n")
    assert read(one) == [84, 3]
    close(one)


def test_a_log_that_is_copied_and_truncated(path: Path) -> None:
    write(path, "Queue size = 1\n" * 5)
    one = probe(path)
    assert read(one) == [1]
    os.truncate(path, 0)
    assert read(one) == []
    write(path, "Queue size = 3\n")
    assert read(one) == [3]
    os.truncate(path, 0)
    write(path, "Queue size = 5")
    assert read(one) == []
    write(path, "\n")
    assert read(one) == [5]
    close(one)


def test_a_log_that_is_deleted_is_an_error_until_there_is_another(path: Path) -> None:
    write(path, "Queue size = 1\n")
    one = probe(path)
    assert read(one) == [1]
    write(path, "Queue size = 2\n")
    path.unlink()
    assert read(one) == [2]
    with pytest.raises(ProbeError, match="the log can't be read: no such file"):
        read(one)
    write(path, "Queue size = 3\nQueue size = 4\n")
    assert read(one) == [3, 4]
    close(one)


def test_of_a_log_that_grew_by_gigabytes_the_end_counts(path: Path) -> None:
    write(path, "Queue size = 1\n")
    one = probe(path)
    assert read(one) == [1]
    with path.open("ab") as file:
        file.truncate(3 * 2**30)
    write(path, "\nQueue size = 9\n")
    assert read(one) == [9]
    close(one)


@pytest.mark.parametrize("lines", [["no number"], ["Queue size = "], ["x" * 10_000 + "Queue size = 4"]])
def test_lines_without_a_value_are_passed_over(path: Path, lines: Sequence[str]) -> None:
    write(path, "".join(f"{line}\n" for line in lines))
    one = probe(path)
    assert read(one) == []
    close(one)


def test_the_rest_of_a_line_without_end_is_not_looked_at(path: Path) -> None:
    """However it comes in: what counts may not depend on when it was read."""
    write(path, "\n")
    one = probe(path)
    assert read(one) == []
    for _ in range(3):
        write(path, "x" * 5000)
        assert read(one) == []
    write(path, " Queue size = 4\nQueue size = 5\n")
    assert read(one) == [5]
    close(one)


class SlowToReturn:
    """A lane whose calls are done a turn of the loop before it is known."""

    async def run(self, call: Callable[[], Any]) -> Any:
        result = call()
        await asyncio.sleep(0)
        return result


@pytest.mark.parametrize("turns", range(1, 9))
def test_what_a_reading_had_fetched_that_was_broken_off_is_in_the_next_one(path: Path, turns: int) -> None:
    """As at the end of a run: the log may say nothing more, and what it said last would be lost."""
    means = Means(UNUSED, UNUSED, UNUSED, time.time, SlowToReturn, breathe)
    one = log.make(ProbeSettings("queue", "log", keys={"file": str(path), "pattern": PATTERN}), means)

    async def read_after_a_break() -> list[float]:
        task: asyncio.Task[Sequence[Reading] | None] = asyncio.ensure_future(one.read())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        [broken] = await asyncio.gather(task, return_exceptions=True)
        seen = broken if isinstance(broken, list) else []
        return [reading[MAIN] for reading in (*seen, *(await one.read() or ()))]

    async def main() -> None:
        assert await read_after_a_break() == [3]
        write(path, "Queue size = 8\n" * 1000 + "Queue size = 0\n")
        assert await read_after_a_break() == [8] * 1000 + [0]
        await one.aclose()

    write(path, "Queue size = 842\n" * 1000 + "Queue size = 3\n")
    asyncio.run(main())


def test_a_pattern_that_finds_no_numbers_is_told(path: Path) -> None:
    write(path, "Queue size = 1,234\n")
    one = probe(path)
    with pytest.raises(ProbeError, match="what the pattern finds as value is no number"):
        read(one)
    write(path, "Queue size = n/a\nQueue size = 4\n")
    assert read(one) == [4]
    close(one)


def test_a_log_that_is_not_there_yet_counts_from_its_start(path: Path) -> None:
    one = probe(path)
    with pytest.raises(ProbeError, match="the log can't be read: no such file"):
        read(one)
    write(path, "Queue size = 4\nQueue size = 6\n")
    assert read(one) == [4, 6]
    close(one)


def test_what_is_no_file_is_told_at_once(tmp_path: Path) -> None:
    """Opening a pipe would wait for somebody who writes to it."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        one = probe(path)
        with pytest.raises(ProbeError, match="the log is not a file"):
            read(one)
        close(one)


Opened = Callable[..., AbstractAsyncContextManager[Any]]


async def values(one: Any, enough: int) -> list[float]:
    seen: list[float] = []
    async with asyncio.timeout(10):
        while len(seen) < enough:
            readings: Sequence[Reading] = await one.read()
            seen += [reading[MAIN] for reading in readings]
            await asyncio.sleep(0.05)
    return seen


def test_a_command_that_goes_on_is_a_log(opened: Opened) -> None:
    code = "import time\nfor i in range(10**6): print(f'Queue size = {i}', flush=True); time.sleep(0.01)"

    async def main() -> list[float]:
        async with opened("log", command=[PYTHON, "-c", code], pattern=PATTERN) as one:
            return await values(one, 20)

    seen = asyncio.run(main())
    assert seen == list(range(int(seen[0]), int(seen[0]) + len(seen)))


def test_the_first_reading_waits_for_what_stood_there_and_gives_its_last_value(opened: Opened) -> None:
    """So that there is a baseline: `tail -f`, `journalctl -f` begin with lines of before."""
    code = "import os, time; time.sleep(0.3); os.write(1, b'Queue size = 700\\nQueue size = 3\\n'); time.sleep(60)"

    async def main() -> tuple[list[Reading], list[Reading]]:
        async with opened("log", 10.0, command=[PYTHON, "-c", code], pattern=PATTERN) as one:
            return await one.read(), await one.read()

    assert asyncio.run(main()) == ([{MAIN: 3}], [])


def test_a_log_command_that_has_ended_is_told_after_its_last_line(opened: Opened) -> None:
    async def main() -> tuple[list[float], set[str]]:
        told: set[str] = set()
        seen: list[float] = []
        code = "print('Queue size = 3', flush=True); raise SystemExit(4)"
        async with opened("log", command=[PYTHON, "-c", code], pattern=PATTERN) as one:
            for _ in range(20):
                try:
                    seen += [reading[MAIN] for reading in await one.read()]
                except ProbeError as error:
                    told.add(str(error))
                await asyncio.sleep(0.05)
        return seen, told

    seen, told = asyncio.run(main())
    assert seen == [3]
    assert "the command ended with code 4" in told
    assert told <= {"the command has ended", "the command ended with code 4"}


def test_a_command_that_says_more_than_anybody_takes_has_to_wait(opened: Opened) -> None:
    code = "i = 0\nwhile True: i += 1; print(f'Queue size = {i}' + ' ' * 1000)"

    async def main() -> tuple[float, float]:
        async with opened("log", command=[PYTHON, "-c", code], pattern=PATTERN) as one:
            first = await values(one, 1)
            await asyncio.sleep(1.0)
            held = await values(one, 1)
            return first[-1], held[-1]

    first, held = asyncio.run(main())
    assert 0 < held - first < 3000
