"""Plays a case of the table: server up, burst sent, what was to happen meanwhile. Judges nothing."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..warm.client import Order, Warm, plain_environ, warmed
from .case import Case, ClockStep, Crowded, Meanwhile, Signalled, Stalls
from .server.listen import Visits

_CORE = 0


@dataclass(frozen=True, slots=True)
class Played:
    """What a burst left behind."""

    code: int
    out: str
    err: str
    arrivals: int
    """Requests that the server saw."""
    server_late_s: float
    """How much slower than its nature the server may have been."""
    files: dict[str, str]
    """The reports, by name."""

    @property
    def report(self) -> dict[str, Any]:
        """The JSON report; it must be strict."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} in JSON")

        document: dict[str, Any] = json.loads(self.files["report.json"], parse_constant=refuse)
        return document


class Stage:
    """Where cases are played: a loop for the servers, and a warm process to fork bursts from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._warm: Warm | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        self._thread.start()
        try:
            with warmed(self._folder) as self._warm:
                yield
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def play(self, case: Case, folder: Path) -> Played:
        """Play a case once, its files in a folder of its own."""
        serving = case.server.open()
        visits = self._do(serving.__aenter__())
        try:
            for name, text in case.files.items():
                (folder / name).write_text(text)
            (folder / "burst.json").write_text(json.dumps(manifest_of(case, visits.url)))
            code = self._run(case, folder, visits)
        finally:
            self._do(serving.__aexit__(None, None, None))
        texts = {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}
        return Played(code, texts.pop("out.txt"), texts.pop("err.txt"), visits.requests, visits.late_s, texts)

    def _do(self, main: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(main, self._loop).result(20)

    def _run(self, case: Case, folder: Path, visits: Visits) -> int:
        assert self._warm is not None
        order = Order(
            arguments_of(case, visits.url),
            folder,
            {**plain_environ(), **case.environ},
            folder / "out.txt",
            folder / "err.txt",
            core=_CORE if isinstance(case.meanwhile, Crowded) else None,
            clock_step_s=case.meanwhile.seconds if isinstance(case.meanwhile, ClockStep) else 0.0,
        )
        ended = threading.Event()
        with self._warm.start(order) as burst:
            happening = threading.Thread(target=_happen, args=(case.meanwhile, burst.process, visits, ended))
            happening.start()
            try:
                return burst.wait()
            finally:
                ended.set()
                happening.join()


def manifest_of(case: Case, url: str) -> dict[str, Any]:
    """Write a case's manifest."""
    more = dict(case.more)
    request = {"name": "predict", "path": "/predict", "query": {"i": "${index}"}, "json": {"text": "hello"}}
    return {
        "version": 1,
        "target": {"base_url": url, **more.pop("target", {})},
        "rate_limit": case.rate or {"rate": "300/s", "controller": "fixed"},
        "requests": [{**request, "count": case.count, **case.request}],
        **more,
    }


def arguments_of(case: Case, url: str) -> list[str]:
    """Write a case's command line; URL in an option stands for the server's."""
    reports = [f"--report={name}" for name in ("json=report.json", "junit=report.xml", "gitlab-dotenv=report.env")]
    return ["run", "burst.json", "--seed=1", *reports, *(option.replace("URL", url) for option in case.options)]


def _happen(what: Meanwhile | None, process: int, visits: Visits, ended: threading.Event) -> None:
    """Do to a process what the case says, from its first requests on."""

    def wait_for(requests: int) -> bool:
        while visits.requests < requests:
            if ended.wait(0.005):
                return False
        return True

    with contextlib.suppress(ProcessLookupError):
        match what:
            case Signalled(number, after):
                if wait_for(after):
                    os.kill(process, number)
            case Stalls() if wait_for(what.after):
                _stall(process, what, ended)
            case Crowded(others):
                with contextlib.ExitStack() as stack:
                    for _ in range(others):
                        stack.enter_context(_busy())
                    ended.wait()
            case _:
                pass


def _stall(process: int, how: Stalls, ended: threading.Event) -> None:
    """Stop and continue a process by a fixed rhythm, as the kernel's bandwidth control does."""
    next_s = time.monotonic()
    for _ in range(how.times):
        if ended.is_set():
            return
        os.kill(process, signal.SIGSTOP)
        try:
            time.sleep(how.for_s)
        finally:
            os.kill(process, signal.SIGCONT)
        next_s += how.every_s
        if ended.wait(max(0.0, next_s - time.monotonic())):
            return


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    """Keep the one core busy."""
    spin = f"import os\nos.sched_setaffinity(0, {{{_CORE}}})\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-S", "-c", spin]) as spinning:
        try:
            yield
        finally:
            spinning.kill()
