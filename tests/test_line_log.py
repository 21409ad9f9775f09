"""Files and pipes that grow by lines: whole ones, at once, and nobody on the other end can hold the run up."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from burstctl import line_log
from burstctl.errors import UsageError
from burstctl.line_log import LineLog, open_log


def test_what_was_flushed_outlives_a_killed_process(tmp_path: Path) -> None:
    script = """
import os, signal, sys
from burstctl.line_log import LineLog, open_log
log = LineLog(open_log(sys.argv[1]))
for n in range(100):
    log.add(f"line {n}")
log.flush()
log.add("lost")
os.kill(os.getpid(), signal.SIGKILL)
"""
    path = tmp_path / "log"
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert path.read_text() == "".join(f"line {n}\n" for n in range(100))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_several_processes_may_write_whole_lines_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "log"
    logs = [LineLog(open_log(str(path))), LineLog(open_log(str(path), joined=True))]
    for n in range(1000):
        logs[n % 2].add(f"{n}:" + "x" * (37 * n % 5000))
    for log in logs:
        log.close()
    lines = path.read_text().splitlines()
    assert sorted(int(line.partition(":")[0]) for line in lines) == list(range(1000))
    assert all(line.partition(":")[2] == "x" * (37 * int(line.partition(":")[0]) % 5000) for line in lines)


def test_a_pipe_that_nobody_reads_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_log, "_PATIENCE_MS", 10)
    reader, writer = os.pipe()
    log = LineLog(writer)
    for _ in range(1000):
        log.add("x" * 1000)
        log.flush()
    early = log.error
    assert early is None  # far more than a pipe holds is waiting
    for _ in range(5):
        log.add("x" * 1_000_000)
    assert log.error == "its reader is too slow"
    log.close()
    os.close(reader)


def test_a_slow_reader_gets_everything_in_the_end() -> None:
    reader, writer = os.pipe()
    log = LineLog(writer)
    for n in range(300):
        log.add(f"{n} " + "x" * 1000)
        log.flush()
    log.add("y" * 100_000)
    got: list[bytes] = []

    def read() -> None:
        with os.fdopen(reader, "rb") as file:
            got.extend(file)

    thread = threading.Thread(target=read)
    thread.start()
    log.close()
    thread.join()
    assert log.error is None
    assert [int(line.split()[0]) for line in got[:-1]] == list(range(300))
    assert got[-1] == b"y" * 100_000 + b"\n"


def test_a_reader_that_is_gone_and_a_full_disk_end_the_log() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    full = LineLog(open_log("/dev/full"))
    for log, reason in ((LineLog(writer), "broken pipe"), (full, "no space left on device")):
        log.add("a")
        log.flush()
        log.add("b")
        log.close()
        assert log.error == reason


def test_what_utf_8_cannot_carry_is_escaped(tmp_path: Path) -> None:
    log = LineLog(open_log(str(tmp_path / "log")))
    log.add("half \ud800")
    log.close()
    assert (tmp_path / "log").read_text() == "half \\ud800\n"


def test_a_symbolic_link_is_never_written_through(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "log"
    victim.write_text("precious")
    link.symlink_to(victim)
    with pytest.raises(UsageError, match="can't write"):
        open_log(str(link), joined=True)
    log = LineLog(open_log(str(link)))
    log.add("mine")
    log.close()
    assert victim.read_text() == "precious"
    assert link.read_text() == "mine\n"
