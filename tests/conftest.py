"""Shared by all tests: a loop whose time is virtual, so that nothing sleeps; how many run at once; no skips in CI."""

import asyncio
import os
import selectors
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

import pytest
from hypothesis import settings

# How long an example takes is the machine's affair, not a test's.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

T = TypeVar("T")

TIMED = (
    "cli/test_probes.py", "cli/test_run.py", "cli/test_share.py", "judges/", "truth/", "pace/test_pacer_real_time.py",
    "test_docs.py",
)  # fmt: skip


def pytest_xdist_auto_num_workers() -> int:
    """Run two tests at a time at least: many of them wait for a server, or for time to pass."""
    return max(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what measures real time to one process: none of it may take another's processor."""
    for item in items:
        if any(item.nodeid.startswith(f"tests/{timed}") for timed in TIMED):
            item.add_marker(pytest.mark.xdist_group("timed"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail what would be skipped where `BURSTCTL_NO_SKIP=1` says that everything is there."""
    report = yield
    if report.skipped and os.environ.get("BURSTCTL_NO_SKIP") == "1" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report


class VirtualSelector(selectors.DefaultSelector):
    """Never waits: where a real selector would sleep, the loop's time jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("deadlock: nothing is scheduled and nothing is ready")
        if not ready and timeout:
            self.now_s += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """asyncio's own loop on virtual time."""

    def __init__(self) -> None:
        self._virtual = VirtualSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now_s

    def stall(self, seconds: float) -> None:
        """Let time pass in which the loop does nothing, as when the machine is busy elsewhere."""
        self._virtual.now_s += seconds


def run_virtual(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())


Virtual = Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]


@pytest.fixture(scope="session")
def virtual() -> Virtual:
    """Give the means to run a coroutine in virtual time; `loop.stall(seconds)` lets time pass unnoticed there."""
    return run_virtual
