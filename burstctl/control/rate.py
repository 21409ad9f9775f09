"""Learns a server's quota from its 429s and keeps the rate just under it. Knows nothing of latency or windows.

Between two moments at which the server's token bucket is known to be empty (two 429s), accepted / elapsed is exactly
its refill rate. So there is no blind probing: the first 429 cuts by a constant, later ones by that measurement.
"""

import random

from burstctl.attempt import Quota
from burstctl.control.controller import TICK_S
from burstctl.control.retry import LONGEST_WAIT_S
from burstctl.learnt import Cut

_FIRST_CUT = 0.75
_DEEPEST_CUT = 0.4
_DEEPEST_CUT_AFTER_PAUSE, _DEEPEST_CUT_FAR_OFF = 0.5, 0.25
_MARGIN = 0.97
"""Keep this share of what was measured."""
_LOWEST_PER_S = 1.0
_EPOCH_S = 0.1
"""429s closer together than this tell of one event."""
_ANCHOR_S = 5.0
"""Measure over at most about this long."""
_SOFT_S = 1.0
"""A Retry-After up to this makes only the refused request wait; whole seconds can't say less."""
_STREAK = 4
"""So many cuts in quick succession did not help: pause all the same."""
_HOLD_S, _LONGEST_HOLD_S = 4.0, 60.0
_HOLD_PER_PAUSE = 20.0
"""A probe may cost one pause: keep that under 5 % of the time."""
_SAME_RATE = 0.85
_GROWTH_PER_S = 0.01
_CREDIT = 0.8
_ENOUGH = 10
"""Requests beyond a full bucket that tell the refill rate, however short the time in which they were accepted."""
_ANNOUNCED, _USABLE = 0.99, 0.9
"""Shares of an announced quota that are used: others may use it too, and clocks differ."""
_LOWEST_ANNOUNCED_PER_S = 1 / 60
"""A quota below this would stop the run in silence; refusals can still do so, and then say why."""
_LONGEST_PAUSE_S = 60.0
"""An announced window is not waited for longer than this: a 429 will say if it must be."""


class QuotaRate:
    """Starts at the ceiling; cut by 429s, grown again after a hold; may pause everything for a Retry-After."""

    __slots__ = (
        "_accepted", "_anchor", "_ceiling", "_credit", "_credit_ended_s", "_credit_ok", "_cut_s", "_cuts", "_failed_at",
        "_first", "_hold_s", "_hold_until", "_in_credit", "_last_empty_s", "_paused_s", "_rate", "_rng", "_streak",
        "_told_pause_s", "_top", "_untold", "pause_until", "weight",
    )  # fmt: skip

    def __init__(self, ceiling_per_s: float, rng: random.Random) -> None:
        self._ceiling = self._rate = self._top = ceiling_per_s
        """The top is the ceiling, or less where the server announced its quota."""
        self._rng = rng
        self._cuts = 0
        self._cut_s = self._credit_ended_s = self.pause_until = -1e9
        self._last_empty_s: float | None = None
        self._accepted = 0.0
        """Sent minus refused since the bucket was last seen empty: what the quota let through."""
        self._anchor = (0.0, 0.0)
        """When an earlier 429 showed the bucket empty, and how many were accepted from then to the last 429."""
        self._first = (0.0, 0.0)
        """Accepted and elapsed up to the first 429: what the full bucket gave."""
        self._paused_s = 0.0
        self._streak = 0
        self._hold_s, self._hold_until = _HOLD_S, 0.0
        self._failed_at: float | None = None
        self._credit, self._in_credit, self._credit_ok = 0.0, False, True
        self.weight = 1.0
        """How many sends of all jobs together one of ours stands for."""
        self._untold = False
        self._told_pause_s = self.pause_until

    def rate_per_s(self) -> float:
        return self._ceiling if self._credit > 0 else self._rate

    def sent(self, now_s: float) -> None:
        """Take note of a send."""
        if self._last_empty_s is None:
            self._last_empty_s = now_s  # nothing was measured yet: count from the first send
        self._accepted += self.weight
        if self._credit > 0:
            self._credit -= self.weight * max(0.05, 1.0 - self._rate / self._ceiling)
            self._in_credit, self._credit_ended_s = True, now_s
        elif self._in_credit and now_s - self._credit_ended_s > _EPOCH_S:
            self._in_credit = False

    def refused(self, sent_s: float, now_s: float, retry_after_s: float | None) -> None:
        """Learn from a 429 to an attempt sent at `sent_s`."""
        if self._last_empty_s is not None and sent_s >= self._last_empty_s:
            self._accepted -= self.weight
        wait_s = retry_after_s or 0.0
        if sent_s > self._cut_s and now_s - self._cut_s >= _EPOCH_S:
            self._streak = self._streak + 1 if now_s - self._cut_s < 0.5 * wait_s else 1
            hard = _is_worth(wait_s) and (wait_s > _SOFT_S or self._streak >= _STREAK)
            self._cut(now_s, wait_s if hard else 0.0)
            if hard:
                self._pause(now_s, wait_s * (1.0 + 0.05 * self._rng.random()))
        else:
            self.asked_to_wait(now_s, wait_s)

    def announced(self, quota: Quota, now_s: float, in_flight: int) -> None:
        """Keep to a quota that the server told; none of its 429s has to be provoked then."""
        if quota.rate_per_s is not None:
            uncut = self._rate >= self._top
            self._top = min(self._ceiling, max(_LOWEST_ANNOUNCED_PER_S, _ANNOUNCED * quota.rate_per_s))
            self._rate = self._top if uncut else min(self._rate, self._top)
        if quota.usable is None or not self._credit_ok:
            return
        if quota.rate_per_s is not None:
            self._credit = max(0.0, _USABLE * quota.usable - in_flight - 1.0)
        elif quota.reset_s is not None and quota.usable <= in_flight:
            self._pause(now_s, min(quota.reset_s, _LONGEST_PAUSE_S))

    def asked_to_wait(self, now_s: float, retry_after_s: float | None) -> None:
        """Pause everything for a server that asks for more than its refused request's patience (a 503)."""
        if retry_after_s is not None and retry_after_s > _SOFT_S and _is_worth(retry_after_s):
            self._pause(now_s, retry_after_s * (1.0 + 0.05 * self._rng.random()))

    def tick(self, now_s: float) -> None:
        """Grow, slowly and then faster, once the hold is over."""
        if self._rate < self._top and now_s > max(self._hold_until, self.pause_until):
            self._rate *= 1 + _GROWTH_PER_S * TICK_S * (1 + now_s - self._hold_until)
            self._rate = min(self._top, self._rate)

    def has_news(self) -> bool:
        """Tell whether a refusal or a pause was not told yet."""
        return self._untold or self.pause_until > self._told_pause_s

    def tell(self, now_s: float) -> tuple[Cut | None, float]:
        """Give what the last refusal taught and how long a pause lasts, once: an echo would make it longer."""
        pause_s = max(0.0, self.pause_until - now_s) if self.pause_until > self._told_pause_s else 0.0
        cut = Cut(self._rate, max(0.0, self._hold_until - now_s)) if self._untold else None
        self._untold, self._told_pause_s = False, self.pause_until
        return cut, pause_s

    def hear(self, cut: Cut, now_s: float) -> None:
        """Follow another job's refusal: the server's bucket was just seen empty, for all of us."""
        self._cuts += 1
        if self._cuts == 1:
            self._first = (self._accepted, now_s - (now_s if self._last_empty_s is None else self._last_empty_s))
        self._anchor = (now_s, 0.0)
        self._credit = 0.0
        self._rate = self._failed_at = min(self._rate, max(min(_LOWEST_PER_S, self._ceiling), cut.rate_per_s))
        self._hold_until = max(self._hold_until, now_s + min(cut.hold_s, _LONGEST_HOLD_S))
        self._cut_s = self._last_empty_s = now_s
        self._accepted, self._paused_s, self._in_credit = 0.0, 0.0, False

    def hear_pause(self, now_s: float, duration_s: float) -> None:
        """Wait with another job that was asked to."""
        self._pause(now_s, min(duration_s, LONGEST_WAIT_S))
        self._told_pause_s = self.pause_until

    def _pause(self, now_s: float, duration_s: float) -> None:
        until = now_s + duration_s
        if until > self.pause_until:
            self._paused_s += until - max(now_s, self.pause_until)
            self.pause_until = until

    def _cut(self, now_s: float, pause_s: float) -> None:
        """Lower the rate to what the quota was just seen to accept."""
        self._cuts += 1
        new = self._measure(now_s)
        self._credit = 0.0
        if pause_s and self._cuts > 1 and self._credit_ok:
            # Tokens that the server's bucket gains while we wait may be used: as many as its size is known to be.
            accepted, elapsed_s = self._first
            self._credit = _CREDIT * min(max(0.0, accepted - new * elapsed_s), new * pause_s)
        again = self._failed_at is not None and new > _SAME_RATE * self._failed_at
        self._hold_s = max(min(_LONGEST_HOLD_S, self._hold_s * 2) if again else _HOLD_S, _HOLD_PER_PAUSE * pause_s)
        self._failed_at = new
        self._hold_until = now_s + pause_s + self._hold_s
        self._rate = max(_LOWEST_PER_S, new) if self._ceiling > _LOWEST_PER_S else new
        self._cut_s = self._last_empty_s = now_s
        self._accepted, self._paused_s, self._in_credit = 0.0, 0.0, False
        self._untold = True

    def _measure(self, now_s: float) -> float:
        """Estimate the quota from what was accepted since the bucket was last empty."""
        elapsed_s = now_s - (now_s if self._last_empty_s is None else self._last_empty_s)
        if self._cuts == 1:
            self._first = (self._accepted, elapsed_s)
            self._anchor = (now_s, 0.0)
            return _FIRST_CUT * self._rate
        if self._in_credit:  # the guess of the bucket's size was too big; that is not the rate's fault
            self._credit_ok = False
            return self._rate
        if self._paused_s:
            self._anchor = (now_s, 0.0)
            estimate = self._estimate_over_pause(elapsed_s)
            # Where nothing was accepted but what the bucket had saved, the rate is far too high.
            far_off = self._accepted <= self._first[0]
            deepest = _DEEPEST_CUT_FAR_OFF if far_off else _DEEPEST_CUT_AFTER_PAUSE
            return max(deepest * self._rate, _MARGIN * min(self._rate, estimate))
        anchor_s, before = self._anchor
        accepted = before + self._accepted
        self._anchor = (now_s, 0.0) if now_s - anchor_s > _ANCHOR_S else (anchor_s, accepted)
        return max(_DEEPEST_CUT * self._rate, _MARGIN * min(self._rate, accepted / (now_s - anchor_s)))

    def _estimate_over_pause(self, elapsed_s: float) -> float:
        """Estimate where the bucket may have overflowed while the run paused: between two bounds."""
        active_s = max(1e-3, elapsed_s - self._paused_s)
        high, low = self._accepted / active_s, self._accepted / elapsed_s
        accepted, first_s = self._first
        if active_s - first_s > 0.5 or (active_s > first_s and self._accepted - accepted >= _ENOUGH):
            return min(high, max(low, (self._accepted - accepted) / (active_s - first_s)))
        return max(low, (_DEEPEST_CUT_FAR_OFF if self._accepted <= accepted else _FIRST_CUT) * self._rate)


def _is_worth(wait_s: float) -> bool:
    """Tell whether a wait is one that the run bears; a request that is asked for a longer one is given up."""
    return 0 < wait_s <= LONGEST_WAIT_S
