"""Renews this job's lease while it runs, and bears with a ledger that is gone. Knows no way in particular.

It runs beside the sends and never in their way: all that it changes is what permits and window allow.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from burstctl.clock import Clock
from burstctl.learnt import NOTHING_LEARNT, Learnt
from burstctl.pace.share.member import Member, Needs
from burstctl.pace.share.protocol import Answer, Ask, LostError, MismatchError, Way
from burstctl.pace.share.split import Share

_TICK_S = 0.05
_RETRY_S, _RETRY_LOST_S = 0.1, 0.25
_PATIENCE_S = 3.0
"""So long an answer is waited for when the lease is over anyway."""
_GOODBYE_S = 0.25


class Steered(Protocol):
    """What steers the run: it tells what it needs and learnt, and hears what others did."""

    @property
    def in_flight(self) -> int: ...

    def rate_per_s(self) -> float: ...

    def wanted_window(self) -> float: ...

    def has_news(self) -> bool:
        """Tell whether it learnt something that the others should know at once."""
        ...

    def tell(self, now_s: float) -> Learnt:
        """Give what it learnt; news only once."""
        ...

    def hear(self, learnt: Learnt, now_s: float) -> None:
        """Take what others learnt."""
        ...


@dataclass(frozen=True, slots=True)
class Loss:
    """A time without the ledger."""

    reason: str
    part: Share
    """What was kept to meanwhile."""
    from_s: float
    to_s: float | None = None
    """None: until the end."""


class Keeper:
    """One job's dealings with the ledger, from `join` to `leave`."""

    def __init__(self, way: Way, member: Member, clock: Clock, on_loss: Callable[[str], None] = lambda _: None) -> None:
        self._way = way
        self._member = member
        self._clock = clock
        self._on_loss = on_loss
        self._untold = NOTHING_LEARNT
        """What an ask told that never got an answer."""
        self._untold_s = 0.0
        self._reason = ""
        self._next_s = clock.now()
        self.losses: list[Loss] = []
        self.turns = 0

    async def join(self) -> Learnt | None:
        """Take the first turn; None where the ledger can't be reached. `MismatchError` where it can't be shared."""
        try:
            return await self._turn(0, NOTHING_LEARNT)
        except LostError as error:
            self._reason = str(error)
            self._lose()
            return None

    async def run(self, steered: Steered) -> None:
        """Keep the lease, until cancelled."""
        member, wait_s = self._member, _TICK_S
        while True:
            await asyncio.sleep(wait_s)
            is_first, wait_s = wait_s > 0, _TICK_S
            now_s = self._clock.now()
            needs = Needs(steered.in_flight, steered.wanted_window())
            member.observe(now_s, steered.rate_per_s(), needs, news=steered.has_news())
            self._check(now_s)
            if is_first and now_s < max(member.due_s(), self._next_s):
                continue
            learnt = steered.tell(now_s)
            rest_s = self._untold.pause_s - (now_s - self._untold_s)
            self._untold_s = now_s
            self._untold = replace(learnt, cut=learnt.cut or self._untold.cut, pause_s=max(0.0, learnt.pause_s, rest_s))
            try:
                heard = await self._turn(needs.in_flight, self._untold)
            except (LostError, MismatchError) as error:
                self._reason = str(error) or "other jobs keep to another ceiling"
                self._check(self._clock.now())
                self._next_s = self._clock.now() + (_RETRY_LOST_S if member.is_lost else _RETRY_S)
                continue
            self._untold = NOTHING_LEARNT
            steered.hear(heard, self._clock.now())
            if is_first and member.owes:
                wait_s = 0.0  # what it was just asked back is lost to everybody until it lets go

    async def leave(self) -> None:
        """Give everything up at once, if the ledger listens; otherwise the lease runs out."""
        ask = self._member.ask(self._clock.now(), 0, NOTHING_LEARNT, leaves=True)
        try:
            if not self._member.is_lost:
                await asyncio.wait_for(self._way.exchange(ask), _GOODBYE_S)
        except (LostError, MismatchError, TimeoutError):
            return
        finally:
            await self._way.aclose()

    async def _turn(self, in_flight: int, learnt: Learnt) -> Learnt:
        member, clock = self._member, self._clock
        asked_s = clock.now()
        ask = member.ask(asked_s, in_flight, learnt)
        self.turns += 1
        exchange: asyncio.Task[Answer] = asyncio.ensure_future(_exchange(self._way, ask))
        try:
            if not member.is_lost and member.is_leased:
                await asyncio.wait({exchange}, timeout=max(0.0, member.until_s - asked_s))
                if not exchange.done():
                    self._reason = "no answer in time"
                    self._check(clock.now() + _TICK_S)
            if not exchange.done():
                await asyncio.wait({exchange}, timeout=_PATIENCE_S)
            if not exchange.done():
                raise LostError("no answer")
            answer = exchange.result()
        finally:
            if not exchange.done():
                exchange.cancel()
                await asyncio.wait({exchange})
        now_s = clock.now()
        was_lost = member.is_lost
        learnt = member.take(ask, answer, asked_s, now_s)
        if was_lost and not member.is_lost and self.losses:
            self.losses[-1] = replace(self.losses[-1], to_s=now_s)
        return learnt

    def _check(self, now_s: float) -> None:
        if not self._member.is_lost and now_s >= self._member.until_s:
            self._lose()

    def _lose(self) -> None:
        now_s = self._clock.now()
        self._member.lapse(now_s)
        self.losses.append(Loss(self._reason or "no answer in time", self._member.static, now_s))
        self._on_loss(self.losses[-1].reason)


async def _exchange(way: Way, ask: Ask) -> Answer:
    return await way.exchange(ask)
