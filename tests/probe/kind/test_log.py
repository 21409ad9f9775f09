"""A growing log is followed through rotation, truncation and lines that come in halves."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from burstctl.probe.kind import log
from burstctl.probe.probe import MAIN, Means, ProbeError
from burstctl.probe_settings import ProbeSettings

PATTERN = r"Queue size = (?P<value>\d+)"


def probe(path: Path) -> Any:
    return log.make(ProbeSettings("queue", "log", keys={"file": str(path), "pattern": PATTERN}), cast("Means", None))


def read(one: Any) -> list[float]:
    return [reading[MAIN] for reading in asyncio.run(one.read())]


def write(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_of_what_stood_there_only_the_last_value_counts_then_each(tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    write(path, "Queue size = 1\nhello\nQueue size = 2\n")
    one = probe(path)
    assert read(one) == [2]
    assert read(one) == []
    write(path, "x Queue size = 842 y\nQueue size = 7\nQueue si")
    assert read(one) == [842, 7]
    write(path, "ze = 5\n")
    assert read(one) == [5]


def test_it_goes_on_after_a_rotation_and_a_truncation(tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    write(path, "Queue size = 1\n" * 5)
    one = probe(path)
    assert read(one) == [1]
    path.rename(tmp_path / "app.log.1")
    write(path, "Queue size = 2\n")
    assert read(one) == [2]
    path.write_text("")
    assert read(one) == []
    write(path, "Queue size = 3\n")
    assert read(one) == [3]


def test_of_a_log_that_grew_by_gigabytes_the_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    write(path, "Queue size = 1\n")
    one = probe(path)
    assert read(one) == [1]
    with path.open("ab") as file:
        file.truncate(3 * 2**30)
    write(path, "\nQueue size = 9\n")
    assert read(one) == [9]


@pytest.mark.parametrize("lines", [["no number"], ["Queue size = x"], ["x" * 10_000 + "Queue size = 4"]])
def test_lines_without_a_value_are_passed_over(tmp_path: Path, lines: Sequence[str]) -> None:
    path = tmp_path / "app.log"
    write(path, "".join(f"{line}\n" for line in lines))
    assert read(probe(path)) == []


def test_a_missing_log_is_an_error_until_it_is_there(tmp_path: Path) -> None:
    one = probe(tmp_path / "app.log")
    with pytest.raises(ProbeError, match="the log can't be read: no such file"):
        read(one)
    write(tmp_path / "app.log", "Queue size = 4\n")
    assert read(one) == [4]
