"""Jobs that share one ceiling in virtual time, and a Redis of the tests' own."""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from burstctl.clock import LoopClock
from burstctl.learnt import NOTHING_LEARNT, Learnt
from burstctl.pace.pacer import Pacer
from burstctl.pace.share.keeper import Keeper
from burstctl.pace.share.ledger import Ledger, take_turn
from burstctl.pace.share.member import Member
from burstctl.pace.share.permits import Permits
from burstctl.pace.share.protocol import Answer, Ask, LostError, Way
from burstctl.pace.share.split import Share
from burstctl.pace.share.terms import US, Terms, terms_of


@dataclass(slots=True)
class Server:
    """A ledger on virtual time, with the faults of a network."""

    terms: Terms
    book: Ledger | None = None
    fault: str = ""
    """`refuses`, or `hangs`."""
    delay_s: float = 0.0005
    turns: int = 0

    async def exchange(self, ask: Ask) -> Answer:
        await asyncio.sleep(self.delay_s / 2)
        while self.fault == "hangs":  # noqa: ASYNC110 - a fault that a test takes away
            await asyncio.sleep(0.01)
        if self.fault == "refuses":
            raise LostError("connection refused")
        self.turns += 1
        now_us = int(asyncio.get_running_loop().time() * US)
        self.book, answer = take_turn(self.book, ask, self.terms, now_us)
        await asyncio.sleep(self.delay_s / 2)
        return answer

    async def aclose(self) -> None:
        """Nothing to close."""


@dataclass(slots=True)
class Steering:
    """A run that would send as fast as it may."""

    member: Member
    rate_per_s: float
    told: list[Learnt] = field(default_factory=list)
    heard: list[Learnt] = field(default_factory=list)
    in_flight: int = 0
    window: float = 20.0

    def rate(self) -> float:
        return self.rate_per_s * self.member.fraction


class Steered:
    """`Steering` as the keeper sees it."""

    def __init__(self, steering: Steering) -> None:
        self._steering = steering
        self.in_flight = 0

    def rate_per_s(self) -> float:
        return self._steering.rate()

    def wanted_window(self) -> float:
        return self._steering.window

    def has_news(self) -> bool:
        return bool(self._steering.told)

    def tell(self, now_s: float) -> Learnt:
        return self._steering.told.pop(0) if self._steering.told else NOTHING_LEARNT

    def hear(self, learnt: Learnt, now_s: float) -> None:
        self._steering.heard.append(learnt)


class Job:
    """One job: what it sent, and when."""

    def __init__(self, name: str, way: Way, rate_per_s: float, *, place: Share | None = None) -> None:
        clock = LoopClock(asyncio.get_running_loop())
        terms = terms_of(rate_per_s, 200)
        self.clock = clock
        self.permits = Permits(terms, clock)
        self.member = Member(name, terms, self.permits, place or Share())
        self.keeper = Keeper(way, self.member, clock)
        self.steering = Steering(self.member, rate_per_s)
        self.pacer = Pacer(rate_per_s, self.permits)
        self.stamps: list[float] = []
        self.idle = False
        """Nothing to send."""
        self.lag_s = 0.0

    async def run(self, start_s: float, end_s: float, *, dies: bool = False) -> None:
        """Take part between two moments; a job that dies says no goodbye."""
        now_s = self.clock.now()
        await asyncio.sleep(start_s)
        await self.keeper.join()
        keeping = asyncio.ensure_future(self.keeper.run(Steered(self.steering)))
        sending = asyncio.ensure_future(self._send())
        await asyncio.sleep(now_s + end_s - self.clock.now())
        for task in (keeping, sending):
            task.cancel()
        await asyncio.gather(keeping, sending, return_exceptions=True)
        if not dies:
            await self.keeper.leave()

    async def _send(self) -> None:
        pacer, clock = self.pacer, self.clock
        while True:
            now_s = clock.now()
            open_s = pacer.open_at(self.steering.rate())
            if self.idle or open_s > now_s:
                await asyncio.sleep(0.01 if self.idle else min(0.05, open_s - now_s))
                continue
            blocked_s = pacer.blocked_until(now_s)
            if blocked_s is not None:
                await asyncio.sleep(blocked_s - now_s)
                continue
            place, _ = await pacer.release(now_s, self.steering.rate())
            await asyncio.sleep(self.lag_s)
            self.stamps.append(clock.now())
            pacer.stamp(place, clock.now())

    def sent_between(self, from_s: float, to_s: float) -> int:
        """Count sends; moments of the loop's clock."""
        return sum(from_s <= stamp < to_s for stamp in self.stamps)


def most_in(stamps: list[float], period_s: float) -> int:
    """Give the most sends in any half-open interval of this length."""
    stamps, most, first = sorted(stamps), 0, 0
    for i, stamp in enumerate(stamps):
        while stamp - stamps[first] >= period_s:
            first += 1
        most = max(most, i - first + 1)
    return most


def jain(values: list[int]) -> float:
    """Give Jain's index of fairness: 1 where all are equal."""
    return sum(values) ** 2 / (len(values) * sum(value * value for value in values))


class RedisServer:
    """A Redis on a socket in a folder of its own; ended by its process id."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.socket = folder / "redis.sock"
        self.url = f"unix://{self.socket}"
        self._command = (
            *("redis-server", "--port", "0", "--unixsocket", str(self.socket), "--save", "", "--dir", str(folder)),
            *("--loglevel", "warning", *options),
        )
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        give_up_s = time.monotonic() + 10
        while not self._answers():
            assert self.process.poll() is None
            assert time.monotonic() < give_up_s
            time.sleep(0.02)

    def _answers(self) -> bool:
        import socket

        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(5) in (b"+PONG", b"-NOAU")
        except OSError:
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def redis_folder() -> Iterator[Path]:
    """Give a folder with a path short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="burstctl-test-", dir=os.environ.get("TMPDIR", "/tmp")))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def redis_server(redis_folder: Path) -> Iterator[RedisServer]:
    """Run a Redis for one test."""
    server = RedisServer(redis_folder)
    yield server
    server.kill()
