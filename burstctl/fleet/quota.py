"""The fleet's quota: a token bucket and how headers tell of it. Knows nothing of what asks for tokens."""

import math

from burstctl.fleet.spec import Quota

_LONGEST_WINDOW_S = 60


class TokenBucket:
    """Tokens that grow at the quota's rate up to the bucket's size; one per request."""

    __slots__ = ("_quota", "_tokens", "_updated_s", "_window_s")

    def __init__(self, quota: Quota, start_s: float) -> None:
        self._quota = quota
        self._tokens = quota.bucket
        self._updated_s = start_s
        self._window_s = _window_s(quota.rate_per_s)

    def take(self, now_s: float) -> bool:
        """Take one token; False, and nothing taken, if there is none."""
        self._refill(now_s)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait_s(self, now_s: float) -> float:
        """Tell the seconds until there is a token."""
        self._refill(now_s)
        return max(0.0, (1 - self._tokens) / self._quota.rate_per_s)

    def policy(self) -> str:
        """Give the `RateLimit-Policy` value: the quota as whole requests per whole seconds."""
        quota = max(1, math.floor(self._quota.rate_per_s * self._window_s + 1e-9))
        return f'"default";q={quota};w={self._window_s}'

    def limit(self, now_s: float, blocked_s: int | None = None) -> str:
        """Give the `RateLimit` value: no more than `r` requests in the next `t` seconds, none while blocked."""
        if blocked_s is not None:
            return f'"default";r=0;t={blocked_s}'
        self._refill(now_s)
        available = math.floor(self._tokens + self._quota.rate_per_s * self._window_s)
        return f'"default";r={available};t={self._window_s}'

    def _refill(self, now_s: float) -> None:
        elapsed_s = now_s - self._updated_s
        self._tokens = min(self._quota.bucket, self._tokens + elapsed_s * self._quota.rate_per_s)
        self._updated_s = now_s


def _window_s(rate_per_s: float) -> int:
    """Find the shortest whole window with a whole number of requests in it."""
    for window_s in range(1, _LONGEST_WINDOW_S):
        requests = rate_per_s * window_s
        if requests >= 1 and math.isclose(requests, round(requests), rel_tol=1e-9):
            return window_s
    return max(_LONGEST_WINDOW_S, math.ceil(1 / rate_per_s))
