"""Joins a run to the live share that its plan names, and tells of it afterwards. Knows the ways, not their protocol."""

import os
import random
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from burstctl.clock import Clock
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.fixed import FixedController
from burstctl.control.shared import SharedController
from burstctl.errors import UsageError
from burstctl.learnt import NOTHING_LEARNT, Learnt
from burstctl.pace.share.host import HostWay, sweep
from burstctl.pace.share.keeper import Keeper, Loss
from burstctl.pace.share.key import VARIABLE, ledger_key
from burstctl.pace.share.member import Member
from burstctl.pace.share.permits import Permits
from burstctl.pace.share.protocol import MismatchError, Way
from burstctl.pace.share.split import Share
from burstctl.pace.share.terms import Terms, terms_of
from burstctl.plan import Plan
from burstctl.units import format_rate

_WORTH_S = 0.1
"""A shorter loss than this is a hiccup of the machine, and changed next to nothing."""


class Sharing:
    """One run's part in a ceiling that several share."""

    def __init__(self, plan: Plan, pipeline: str, process: Share, clock: Clock) -> None:
        """`process`: which of this job's workers this is; each takes part for itself."""
        limit, jobs = plan.rate_limit, plan.shard
        self._plan = plan
        self._pipeline = pipeline
        self._clock = clock
        self._workers = process.count
        terms = terms_of(limit.rate_per_s, limit.most_in_flight)
        self._place = Share((jobs.index - 1) * process.count + process.index, jobs.total * process.count)
        self.permits = Permits(terms, clock)
        self.member = Member(secrets.token_hex(8), terms, self.permits, self._place)
        self.on_loss: Callable[[str], None] = lambda _: None
        """Told the reason, once the run is on its way."""
        way = _open_way(limit.share or "", ledger_key(pipeline, urlsplit(plan.target.base_url).netloc), terms)
        self.keeper = Keeper(way, self.member, clock, lambda reason: self.on_loss(reason))

    async def join(self, rng: random.Random) -> SharedController:
        """Take part, and give what steers the run; `UsageError` where that is not possible."""
        learnt, limit = await self._join(), self._plan.rate_limit
        if limit.controller == "fixed":
            return SharedController(FixedController(limit.rate_per_s, limit.most_in_flight), None, self.member)
        known = replace(limit, base_latency_s=limit.base_latency_s or learnt.base_latency_s)
        adaptive = AdaptiveController(known, rng, part=1 / max(self._place.count, self.member.most_jobs))
        return SharedController(adaptive, adaptive, self.member)

    async def _join(self) -> Learnt:
        """Take part, or fall to the static part; `UsageError` where that is not wanted or not possible."""
        limit = self._plan.rate_limit
        try:
            learnt = await self.keeper.join()
        except MismatchError:
            raise UsageError(
                f"share: other jobs of this pipeline keep to another ceiling or max_in_flight than "
                f"{format_rate(limit.rate_per_s)} and {limit.most_in_flight}",
                hint=f"give all of them the same rate_limit, or name what they share by {VARIABLE}",
            ) from None
        if learnt is None and limit.share_required:
            raise UsageError(
                f"share {shown_share(limit.share)} can't be reached: {self.keeper.losses[-1].reason}",
                hint="share_required: false lets the job keep to its static part of the ceiling instead",
            )
        return learnt or NOTHING_LEARNT

    @property
    def other_jobs(self) -> int:
        """How many there are beside this one, as far as anybody knows; this one's workers don't count."""
        return max(self._plan.shard.total, self.member.most_jobs // self._workers) - 1

    def notes(self) -> list[str]:
        """Tell how it went."""
        limit, member = self._plan.rate_limit, self.member
        others = member.most_jobs - 1 if self._workers == 1 else self.other_jobs
        company = "no other job was there" if not others else f"with up to {others} other job{'s' * (others > 1)}"
        whose = "" if self._pipeline else f"; with no pipeline's id ({VARIABLE}) every run against this target joins"
        note = f"share {shown_share(limit.share)}: {format_rate(limit.rate_per_s)} for all jobs together, {company}"
        return [note + whose, *(self._tell(loss) for loss in self.keeper.losses if self._lasted_s(loss) >= _WORTH_S)]

    def _lasted_s(self, loss: Loss) -> float:
        return (self._clock.now() if loss.to_s is None else loss.to_s) - loss.from_s

    def _tell(self, loss: Loss) -> str:
        part = loss.part
        own = f"{format_rate(part.of_rate(self._plan.rate_limit.rate_per_s))}, its part of {part.count} jobs"
        if part.count == 1:
            own = "the whole ceiling: no other job was known; --jobs tells how many there are"
        return f"the share was lost for {self._lasted_s(loss):.1f} s ({loss.reason}): this job kept to {own}"


def shown_share(share: str | None) -> str | None:
    """Give a share's name without its password."""
    if share is None or share == "host":
        return share
    scheme, _, rest = share.partition("://")
    place, _, _ = rest.partition("?")
    return f"{scheme}://{place.rpartition('@')[2]}"


def _open_way(share: str, key: str, terms: Terms) -> Way:
    if share != "host":
        from burstctl.pace.share.redis import RedisWay

        return RedisWay(share, key, terms)
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir(), f"burstctl-{user}")
    sweep(folder)
    return HostWay(folder, key, terms)
