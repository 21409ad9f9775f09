"""The permits that this job holds: a ceiling whose size changes while it is used. Knows nothing of other jobs."""

import heapq
import math

from aiolimiter import AsyncLimiter

from burstctl.clock import Clock
from burstctl.pace.ceiling import BURST_S
from burstctl.pace.share.ledger import spread
from burstctl.pace.share.terms import Terms


class Permits:
    """Lets a send pass once for each permit and period, while the lease holds; takes the ceiling's place."""

    __slots__ = ("_bucket", "_clock", "_flying", "_period_s", "_ready_s", "sent", "stretch", "tolerance_s", "until_s")

    def __init__(self, terms: Terms, clock: Clock) -> None:
        rate_per_s = terms.permits / terms.period_s
        burst = max(2, math.ceil(BURST_S * rate_per_s))
        self._bucket = AsyncLimiter(burst, burst / rate_per_s)
        self.tolerance_s = min(BURST_S, (burst - 1) / rate_per_s)
        """As the ceiling's."""
        self._clock = clock
        self._period_s = terms.period_s
        self._ready_s: list[float] = []
        """A heap: when each permit may be used."""
        self._flying = 0
        """Sends that were let pass and have not gone out yet."""
        self.sent = 0
        self.until_s = -math.inf
        """The lease's end: no permit is of use after it."""
        self.stretch = 1.0
        """So many periods a permit rests: more than one where there are fewer permits than jobs."""

    @property
    def held(self) -> int:
        return len(self._ready_s) + self._flying

    def open_at(self) -> float:
        """Tell when the next send may pass, as far as permits go."""
        return self._ready_s[0] if self._ready_s else math.inf

    def has_capacity(self) -> bool:
        """Tell whether a send may pass now: the lease holds, and it is no burst."""
        return self._clock.now() < self.until_s and self._bucket.has_capacity()

    async def enter(self, now_s: float) -> int:
        """Let one send pass; return its place for `stamp`."""
        await self._bucket.acquire()
        heapq.heappop(self._ready_s)
        self._flying += 1
        return 0

    def stamp(self, place: int, sent_s: float) -> None:
        """Note when that send really went out: its permit rests from then on."""
        self._flying -= 1
        self.sent += 1
        heapq.heappush(self._ready_s, sent_s + self._period_s * self.stretch)

    def add(self, ready_s: float) -> None:
        """Take one more permit."""
        heapq.heappush(self._ready_s, ready_s)

    def release(self, count: int) -> list[float]:
        """Give up so many and tell when they may be used: evenly spread, so that sends stay so here and elsewhere."""
        count = max(0, min(count, len(self._ready_s)))
        if not count:
            return []
        held = sorted(self._ready_s)
        gone = spread(len(held), count)
        released = [held[i] for i in gone]
        for i in reversed(gone):
            del held[i]
        self._ready_s = held
        return released
