"""One job's side of the common ceiling: what it may use now, what it asks for, what it falls back to. Reaches nobody.

While its lease holds, a job uses what was granted. Once it does not, it keeps to its static part of the ceiling: what
it holds beyond that is dropped at once; what it holds less is taken when the others must have dropped theirs.
"""

import math
from collections import deque
from dataclasses import dataclass

from burstctl.learnt import NOTHING_LEARNT, Cut, Learnt
from burstctl.pace.share.permits import Permits
from burstctl.pace.share.protocol import LONGEST_LEASE_US, Answer, Ask
from burstctl.pace.share.split import Share
from burstctl.pace.share.terms import US, Terms

LEASE_S = 0.5
"""How long what was granted may be used without a further word; a dead job's part is free a period later."""
STEADY_S, SHORT_S, HURRY_S = 0.175, 0.1, 0.05
"""Between two asks: where nothing changes, while some permits are still to come (they are granted ahead of their time:
hurry would gain nothing), and while others wait for what it lets go of, or there is news. With the three commands that
it takes inside Redis, an ask costs it four: 23 commands/s."""
_FEW = 0.25
"""With less than this of its part a job hurries."""
_BUSY = 0.85
"""A job that used so much of its part could use more."""
_SLACK = 1.25
_KEPT = 50
"""One permit in so many stays with a job that has nothing to send: what comes may go at once."""
_LOOK_BACK_S, _LONGEST_LOOK_S = 0.5, 10.0
_ENOUGH = 3.0
"""Sends that a part must have allowed before it is known whether it was used."""
_WINDOW_SLACK, _WINDOW_MORE = 1.5, 4
_FIRST_WINDOW = 32
_FIRST_TRIP_S = 0.5
"""The first lease bears a slow network: nothing is known of it yet."""
_SLOWEST_S = 3.0


@dataclass(frozen=True, slots=True)
class Needs:
    """What the run could use."""

    in_flight: int
    window: float
    """What its controller would have in flight."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """A moment, and three totals up to it."""

    at_s: float
    allowed: float
    """Sends that part and controller would have let pass."""
    held_s: float
    """Permits times the seconds that they were held."""
    sent: int


class Member:
    """Moves the permits, `fraction` and `window`; times in seconds of the run's clock."""

    def __init__(self, name: str, terms: Terms, permits: Permits, place: Share) -> None:
        self.name = name
        self.terms = terms
        self.permits = permits
        self._place = place
        """This job's among those that its CI system knows of."""
        self._jobs, self._rank = 1, 0
        self.most_jobs = 1
        self._serial = 0
        self._target = 0
        self._wanted = terms.permits
        self._window_wanted = min(terms.window, _FIRST_WINDOW)
        self.window = 0
        self.is_lost = False
        """Whether it keeps to its static part."""
        self._grow_s = math.inf
        self._trip_s: float | None = None
        """How long an answer took lately, at most; None before the first one."""
        self._asked_s = -math.inf
        self._news_due = False
        self._cut_serial = 0
        self._samples: deque[_Sample] = deque()
        self._allowed = self._held_s = 0.0

    @property
    def fraction(self) -> float:
        """Which part of the whole is this job's: a part that others are just giving up is used as it comes."""
        part = self.permits.held if self.is_lost or self.owes else self._target
        return max(1, part) / self.terms.permits / self.permits.stretch

    @property
    def is_leased(self) -> bool:
        """Tell whether it ever got a lease."""
        return self.permits.until_s > -math.inf

    @property
    def until_s(self) -> float:
        return self.permits.until_s

    @property
    def static(self) -> Share:
        """The part to keep to alone: of the jobs that CI system or ledger know of, whichever knows more."""
        if self._place.count >= self._jobs:
            return self._place
        return Share(min(self._rank, self._jobs - 1), self._jobs)

    @property
    def owes(self) -> bool:
        """Tell whether it holds more than its part."""
        return not self.is_lost and self.permits.held > self._target

    def due_s(self) -> float:
        """Tell when to ask next."""
        held, target = self.permits.held, self._target
        if self._news_due or held > target or held < _FEW * target:
            return self._asked_s + HURRY_S
        return self._asked_s + (SHORT_S if held < target else STEADY_S)

    def observe(self, now_s: float, rate_per_s: float, needs: Needs, *, news: bool) -> None:
        """Look how much of its part the job uses; `rate_per_s` is what part and controller allow together."""
        self._news_due |= news
        samples = self._samples
        if samples:
            held, since_s = self.permits.held, now_s - samples[-1].at_s
            self._allowed += min(rate_per_s, held / self.terms.period_s / self.permits.stretch) * since_s
            self._held_s += held * since_s
        samples.append(_Sample(now_s, self._allowed, self._held_s, self.permits.sent))
        while samples[0].at_s < now_s - _LONGEST_LOOK_S:
            samples.popleft()
        self._wanted = self._want(now_s)
        window = needs.window if needs.window < self.terms.window else self.terms.window
        self._window_wanted = max(needs.in_flight, min(self.terms.window, int(window * _WINDOW_SLACK) + _WINDOW_MORE))
        if self.is_lost and now_s >= self._grow_s:
            self._grow_s = math.inf
            self._add_up_to_static(now_s)

    def ask(self, now_s: float, in_flight: int, learnt: Learnt, *, leaves: bool = False) -> Ask:
        """Take the next turn, letting go of what was asked back."""
        released: list[float] = []
        if leaves or not self.is_lost:
            released = self.permits.release(self.permits.held - (0 if leaves else self._target))
        self._serial += 1
        self._asked_s = now_s
        self._news_due = False
        cut = learnt.cut
        return Ask(
            member=self.name,
            serial=self._serial,
            lease_us=self._lease_us(),
            held=0 if leaves else self.permits.held,
            wanted=0 if leaves else self._wanted,
            window=0 if leaves else max(self.window, in_flight),
            window_wanted=0 if leaves else self._window_wanted,
            leaves=leaves,
            base_latency_us=_us(learnt.base_latency_s or 0.0),
            pause_us=_us(learnt.pause_s),
            cut_milli=0 if cut is None else max(1, round(cut.rate_per_s * 1000)),
            hold_us=0 if cut is None else _us(cut.hold_s),
            released_us=tuple(_us(max(0.0, ready_s - now_s)) + 1 for ready_s in released),
        )

    def take(self, ask: Ask, answer: Answer, asked_s: float, now_s: float) -> Learnt:
        """Use what was granted; what others learnt since is returned."""
        self._trip_s = max(now_s - asked_s, 0.9 * (self._trip_s or 0.0))
        self._jobs, self._rank = answer.jobs, answer.rank
        self.most_jobs = max(self.most_jobs, answer.jobs)
        until_s = asked_s + ask.lease_us / US
        if until_s <= now_s:
            return NOTHING_LEARNT  # too late to be of use; the ledger will hear that nothing of it was taken
        self.permits.release(ask.held - answer.held)
        for later_us in answer.granted_us:
            self.permits.add(now_s + later_us / US)
        self._target = answer.target
        self.window = min(answer.window, answer.window_target)
        self.is_lost = False
        self._grow_s = math.inf
        self.permits.stretch = 1.0
        self.permits.until_s = until_s
        expected = self._cut_serial + (ask.cut_milli > 0)
        is_news = answer.cut_serial != expected and answer.hold_us > 0 and answer.cut_milli > 0
        self._cut_serial = answer.cut_serial
        return Learnt(
            base_latency_s=answer.base_latency_us / US if answer.base_latency_us else None,
            pause_s=answer.pause_us / US,
            cut=Cut(answer.cut_milli / 1000, answer.hold_us / US) if is_news else None,
        )

    def lapse(self, now_s: float) -> None:
        """Fall to the static part: the lease is over, or there was never one."""
        fresh = self.permits.until_s == -math.inf
        self.is_lost = True
        self.permits.until_s = math.inf
        part, permits = self.static, self.terms.permits
        self.permits.stretch = max(1.0, part.count / permits)
        self.permits.release(self.permits.held - self._static_permits())
        window = max(1, part.of(self.terms.window))
        self.window = window if fresh else min(window, max(1, self.window))
        if fresh:
            self._add_up_to_static(now_s)
        else:
            self._grow_s = now_s + self._lease_us() / US + self.terms.period_s

    def _add_up_to_static(self, now_s: float) -> None:
        for _ in range(self._static_permits() - self.permits.held):
            self.permits.add(now_s)
        self.window = max(1, self.static.of(self.terms.window))

    def _static_permits(self) -> int:
        return max(1, self.static.of(self.terms.permits)) if self.terms.permits >= self.static.count else 1

    def _lease_us(self) -> int:
        """Give a slow way longer leases: the next answer must be here before the last lease ends."""
        trip_s = _FIRST_TRIP_S if self._trip_s is None else min(self._trip_s, _SLOWEST_S)
        return min(LONGEST_LEASE_US, _us(LEASE_S + 2 * trip_s))

    def _want(self, now_s: float) -> int:
        """Want all there is where the part is used; else what is used, and a little more."""
        everything = self.terms.permits
        now = self._samples[-1]
        for then in reversed(self._samples):
            allowed = now.allowed - then.allowed
            if then.at_s <= now_s - _LOOK_BACK_S and allowed >= _ENOUGH:
                used = (now.sent - then.sent) / allowed
                if used >= _BUSY:
                    return everything
                # Of what was held meanwhile: what is held now may be less already, for that same reason.
                held = max(self.permits.held, (now.held_s - then.held_s) / (now.at_s - then.at_s))
                return min(everything, max(1, everything // _KEPT, math.ceil(used * held * _SLACK) + 1))
        return everything


def _us(duration_s: float) -> int:
    return max(0, math.ceil(duration_s * US))
