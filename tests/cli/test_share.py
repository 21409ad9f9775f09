"""Several real runs on one ceiling against one fleet: never more together than it allows, whatever happens to Redis."""

import json
import os
import signal
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ..pace.share.conftest import RedisServer, most_in
from .conftest import BURSTCTL, CLEAN, FleetProcess, start_fleet

FAST = ("--instances", "6", "--rps-per-instance", "150")
"""A fleet that the ceiling does not load: 900/s."""


@dataclass(frozen=True, slots=True)
class Played:
    """What three runs and their fleet came to."""

    codes: list[int]
    texts: list[str]
    reports: list[dict[str, Any]]
    """Of those that wrote one."""
    stamps: list[list[float]]
    """Sends by the wall clock, to within a millisecond."""
    fleet: dict[str, Any]

    @property
    def succeeded(self) -> list[int]:
        return [report["succeeded"] for report in self.reports]

    @property
    def notes(self) -> list[str]:
        return ["; ".join(report["notes"]) for report in self.reports]

    def sent_between(self, from_s: float, to_s: float) -> int:
        """Count the sends of all jobs between two moments since the first one."""
        first_s = min(min(stamps) for stamps in self.stamps if stamps)
        return sum(from_s <= stamp - first_s < to_s for stamps in self.stamps for stamp in stamps)

    @property
    def most_sent(self) -> int:
        """Most sends of all jobs in any second, by their own stamps: what no stall of the fleet can blur."""
        return most_in([stamp for stamps in self.stamps for stamp in stamps], 1.0)

    def keeps_the_ceiling(self) -> bool:
        return self.most_sent <= 303

    @property
    def starts_s(self) -> list[float]:
        """When each job began to send, from the first one on."""
        starts = sorted(datetime.fromisoformat(report["started_at"]).timestamp() for report in self.reports)
        return [start - starts[0] for start in starts]

    @property
    def took_s(self) -> float:
        """From the first job's start to the last one's end."""
        starts = [datetime.fromisoformat(report["started_at"]).timestamp() for report in self.reports]
        ends = [start + report["duration_s"] for start, report in zip(starts, self.reports, strict=True)]
        return float(max(ends) - min(starts))


Play = Callable[..., Played]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Give the means to start jobs together on one ceiling, and to have something happen while they send."""

    def run(
        share: str | None,
        *options: str,
        fleet: tuple[str, ...] = FAST,
        count: int = 250,
        jobs: int = 3,
        environ: Callable[[int], dict[str, str]] = lambda _: {},
        starts_s: Sequence[float] = (0.0, 0.0, 0.0),
        after_s: float = 1.2,
        happen: Callable[[list[subprocess.Popen[str]]], None] | None = None,
    ) -> Played:
        with start_fleet(*fleet) as server:
            manifest = tmp_path / "burst.yaml"
            manifest.write_text(
                f"target: {{base_url: '{server.url}'}}\nrate_limit: 300/s\n"
                f"requests: [{{name: p, path: /predict, json: {{x: 1}}, count: {count}}}]\n"
            )
            shared = {} if share is None else {"BURSTCTL_RUN_SHARE": share, "BURSTCTL_SHARE_ID": str(tmp_path)}
            processes, began_s = [], time.monotonic()
            for i, start_s in enumerate(starts_s[:jobs]):
                time.sleep(max(0.0, began_s + start_s - time.monotonic()))
                command = [*BURSTCTL, "run", str(manifest), "--progress", "off", *options]
                command += ["--report", f"json={tmp_path}/{i}.json", "--report", f"ndjson={tmp_path}/{i}.ndjson"]
                processes.append(
                    subprocess.Popen(
                        command,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT,
                        text=True,
                        env={**CLEAN, **shared, **environ(i)},
                    )
                )
            if happen is not None:
                _await_sends(server, after_s)
                happen(processes)
            texts = [process.communicate(timeout=60)[0] for process in processes]
            figures = server.get("/stats")
        reports, stamps = [], []
        for i in range(jobs):
            path = tmp_path / f"{i}.json"
            if path.exists() and path.stat().st_size:
                report = json.loads(path.read_text())
                reports.append(report)
                start_s = datetime.fromisoformat(report["started_at"]).timestamp()
                lines = (tmp_path / f"{i}.ndjson").read_text().splitlines()
                stamps.append([start_s + json.loads(line)["sent_s"] for line in lines])
        assert all("Traceback" not in text for text in texts)
        return Played([process.returncode for process in processes], texts, reports, stamps, figures)

    return run


def _await_sends(server: FleetProcess, after_s: float) -> None:
    give_up_s = time.monotonic() + 30
    while server.get("/stats")["arrivals"] < 5:
        assert time.monotonic() < give_up_s
        time.sleep(0.05)
    time.sleep(after_s)


@pytest.fixture
def share(request: pytest.FixtureRequest, redis_server: RedisServer) -> str | None:
    urls = {"redis": redis_server.url, "host": "host", "split": None}
    return urls[request.param]


@pytest.fixture
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="burstctl-cli-"))
    server = RedisServer(folder)
    yield server
    server.process.send_signal(signal.SIGCONT)
    server.kill()
    shutil.rmtree(folder)


def numbered(i: int) -> dict[str, str]:
    """Number three jobs as GitLab does."""
    return {"CI_NODE_INDEX": str(i + 1), "CI_NODE_TOTAL": "3"}


WAYS = pytest.mark.parametrize("share", ["split", "host", "redis"], indirect=True)


@WAYS
def test_three_runs_on_a_small_fleet_all_succeed_without_a_queue(play: Play, share: str | None) -> None:
    played = play(share, fleet=("--instances", "1", "--rps-per-instance", "150"), count=400, environ=numbered)
    assert (played.codes, played.succeeded) == ([0, 0, 0], [400, 400, 400])
    assert played.keeps_the_ceiling()
    assert played.fleet["peak_queue"] <= 200
    assert all(report["latency_ms"]["p95"] <= 200 for report in played.reports)
    assert played.took_s <= 1.1 * 1200 / 150  # a shared machine's own hiccups included
    told = "job 1 of 3" if share is None else "with up to 2 other jobs"
    assert told in played.notes[0]


@WAYS
def test_three_runs_come_and_go_under_one_ceiling_that_they_use(play: Play, share: str | None) -> None:
    arrived = []
    for starts_s in ((0.0, 0.0, 0.0), (0.0, 1.0, 3.0), (0.0, 1.0, 3.0)):
        played = play(share, count=400, environ=numbered, starts_s=starts_s)
        assert (played.codes, played.succeeded) == ([0, 0, 0], [400, 400, 400])
        assert played.most_sent <= 300
        assert played.fleet["peak_queue"] <= 200
        if share is None:
            ideal_s = played.starts_s[-1] + 400 / 100
        else:
            ideal_s = 0.0
            for start_s in played.starts_s:
                ideal_s = max(ideal_s, start_s) + 400 / 300
        assert played.took_s <= 1.1 * ideal_s  # a shared machine's own hiccups included
        arrived.append(played.fleet["max_arrivals_1s"])
        if sum(most <= 303 for most in arrived) == 2:
            break  # that is the median of three, whatever the third would be
    assert statistics.median(arrived) <= 303


@pytest.mark.parametrize("share", ["host", "redis"], indirect=True)
def test_the_others_use_a_dead_job_s_part(play: Play, share: str | None) -> None:
    played = play(share, count=600, after_s=1.0, happen=lambda processes: processes[0].kill())
    assert (played.codes, played.succeeded) == ([-signal.SIGKILL, 0, 0], [600, 600])
    assert played.fleet["max_arrivals_1s"] <= 303  # the dead one left no stamps
    # The dead one sent till about 1 s, so that two have 200/s each at 3 s: 300 together.
    assert played.sent_between(3.1, 3.6) >= 135


def lose(server: RedisServer) -> None:
    server.kill()


def freeze(server: RedisServer) -> None:
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(5)
    server.process.send_signal(signal.SIGCONT)


def restart(server: RedisServer) -> None:
    server.kill()
    time.sleep(0.7)
    server.start()


def demote(server: RedisServer) -> None:
    command(server, "REPLICAOF 127.0.0.1 1")


def command(server: RedisServer, line: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket))
        connection.sendall(line.encode() + b"\r\n")
        assert connection.recv(3) == b"+OK"


@pytest.mark.parametrize(
    ("fault", "count", "reason"),
    [
        (lose, 400, "refused"),
        (freeze, 600, "no answer in time"),
        (restart, 400, "refused"),
        (demote, 400, "READONLY"),
    ],
)
def test_a_redis_lost_in_mid_run_changes_neither_the_sum_nor_the_end(
    play: Play, redis_server: RedisServer, fault: Callable[[RedisServer], None], count: int, reason: str
) -> None:
    played = play(redis_server.url, count=count, happen=lambda _: fault(redis_server))
    assert (played.codes, played.succeeded) == ([0, 0, 0], [count] * 3)
    assert played.keeps_the_ceiling()
    # It is bridged, not waited for: the static parts are the whole.
    assert max(max(sent_s) - min(sent_s) for sent_s in played.stamps) <= 1.25 * 3 * count / 300
    assert all("the share was lost for" in note and reason in note for note in played.notes)


def test_a_run_that_may_not_go_on_alone_stops(play: Play, redis_server: RedisServer, tmp_path: Path) -> None:
    def told(_: int) -> dict[str, str]:
        (tmp_path / "burst.yaml").write_text(
            (tmp_path / "burst.yaml").read_text().replace("300/s", "{rate: 300/s, on_share_loss: stop}")
        )
        return {}

    played = play(redis_server.url, jobs=1, count=900, environ=told, after_s=0.5, happen=lambda _: redis_server.kill())
    assert played.codes == [1]
    assert "the share was lost" in played.reports[0]["ending_reason"]


def test_a_wrong_password_leaves_the_static_part_and_is_not_shown(play: Play, tmp_path: Path) -> None:
    server = RedisServer(tmp_path, "--requirepass", "the-right-one")
    try:
        url = server.url.replace("unix://", "unix://:the-wrong-one@")
        played = play(url, count=100, environ=numbered)
    finally:
        server.kill()
    assert (played.codes, played.succeeded) == ([0, 0, 0], [100] * 3)
    assert played.keeps_the_ceiling()
    assert all("wrong password or user" in note and "100/s, its part of 3 jobs" in note for note in played.notes)
    assert not any("wrong-one" in text for text in (*played.texts, json.dumps(played.reports)))


def test_a_slow_way_and_an_hour_between_clocks_change_nothing(
    play: Play, redis_server: RedisServer, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import time\nreal = time.time\ntime.time = lambda: real() + 3600\n")
    with DelayingProxy(tmp_path / "slow.sock", redis_server.socket, 0.2) as slow:
        played = play(
            f"unix://{slow}",
            count=300,
            environ=lambda i: {"PYTHONPATH": str(tmp_path)} if i == 1 else {},
        )
    assert (played.codes, played.succeeded) == ([0, 0, 0], [300] * 3)
    early, late, other = played.stamps
    assert min(late) - min(early) > 3500
    assert replace(played, stamps=[early, [stamp - 3600 for stamp in late], other]).keeps_the_ceiling()
    assert all("with up to 2 other jobs" in note for note in played.notes)


def test_workers_share_as_jobs_do(play: Play, redis_server: RedisServer) -> None:
    played = play(redis_server.url, "--workers", "2", jobs=1, count=450)
    assert (played.codes, played.succeeded) == ([0], [450])
    assert played.keeps_the_ceiling()
    assert played.fleet["last_done_s"] - played.fleet["first_arrival_s"] <= 2.0


def run(manifest: Path, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [*BURSTCTL, "run", str(manifest), "--progress", "off", *options]
    return subprocess.run(command, env={**CLEAN, **environ}, capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def manifest(tmp_path: Path) -> Iterator[Path]:
    with start_fleet() as fleet:
        path = tmp_path / "burst.yaml"
        path.write_text(
            f"target: {{base_url: '{fleet.url}'}}\n"
            "rate_limit: {rate: 300/s, share_required: true}\nrequests: [{name: p, path: /predict, count: 3}]\n"
        )
        yield path


def test_a_share_that_is_required_and_unreachable_sends_nothing(manifest: Path) -> None:
    result = run(manifest, BURSTCTL_RUN_SHARE="redis://:geheimnis@127.0.0.1:1")
    assert result.returncode == 2
    assert "share redis://127.0.0.1:1 can't be reached" in result.stderr
    assert "geheimnis" not in result.stderr + result.stdout


def test_a_password_on_the_command_line_is_refused(manifest: Path) -> None:
    result = run(manifest, "--share", "redis://:geheimnis@127.0.0.1:1")
    assert result.returncode == 2
    assert "BURSTCTL_RUN_SHARE" in result.stderr
    assert "geheimnis" not in result.stderr + result.stdout


def test_jobs_of_another_ceiling_are_turned_away(manifest: Path, tmp_path: Path) -> None:
    environ = {"BURSTCTL_RUN_SHARE": "host", "BURSTCTL_SHARE_ID": str(tmp_path)}
    command = [*BURSTCTL, "run", str(manifest), "--progress", "off", "--rate-limit", "1/s"]
    with subprocess.Popen(
        command, env={**CLEAN, **environ}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as one:
        time.sleep(1.5)
        result = run(manifest, **environ)
        one.kill()
    assert result.returncode == 2
    assert "keep to another ceiling" in result.stderr


class DelayingProxy:
    """Passes bytes on between two sockets, each piece after a delay."""

    def __init__(self, path: Path, target: Path, delay_s: float) -> None:
        self._target = target
        self._delay_s = delay_s
        self._path = path
        self._listener = socket.socket(socket.AF_UNIX)
        self._open: list[socket.socket] = [self._listener]
        self._listener.bind(str(path))
        self._listener.listen()
        self._listener.settimeout(60)

    def __enter__(self) -> Path:
        threading.Thread(target=self._accept, daemon=True).start()
        return self._path

    def __exit__(self, *_: object) -> None:
        for one in self._open:
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._target))
            self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                time.sleep(self._delay_s)
                sink.sendall(data)
        except OSError:
            return
        finally:
            os.close(os.dup(sink.fileno())) if sink.fileno() >= 0 else None
            sink.close()
