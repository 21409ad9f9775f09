"""Natures of servers, each a few words of the table of truth. Knows no sockets."""

from collections.abc import Callable
from dataclasses import replace

from .reply import Asked, Nature, Reply, Then, http


def always(data: bytes | None = None, *, ms: float = 5.0, then: Then = Then.KEEP) -> Nature:
    """Reply with these bytes (a good answer), so many milliseconds after the request."""
    reply = Reply(http() if data is None else data, ms / 1000, then)
    return lambda asked: reply


def status(code: int, **headers: str) -> Nature:
    """Answer with this status and an HTML page that says so."""
    return always(http(code, f"<html><h1>{code}</h1></html>".encode(), content_type="text/html", **headers))


def where(chosen: Callable[[Asked], bool], odd: Nature, usual: Nature | None = None) -> Nature:
    """Be odd for the chosen requests and as usual (good) for all others."""
    common = usual or always()
    return lambda asked: odd(asked) if chosen(asked) else common(asked)


def first_tries(odd: Nature, tries: int = 1) -> Nature:
    """Be odd to the first attempts of every request, good to later ones."""
    return where(lambda asked: asked.attempt <= tries, odd)


def some(places: range, odd: Nature, usual: Nature | None = None) -> Nature:
    """Be odd to these places in the plan."""
    return where(lambda asked: asked.index in places, odd, usual)


def ready_after(seconds: float) -> Nature:
    """Answer 503 everywhere until it has started."""
    return where(lambda asked: asked.at_s < seconds, status(503))


def quota(rate_per_s: float, bucket: float, **headers: str) -> Nature:
    """Let so many requests through, by a token bucket; 429 for all others."""
    tokens, last_s, refusal, good = bucket, 0.0, status(429, **headers), always()

    def reply(asked: Asked) -> Reply:
        nonlocal tokens, last_s
        tokens = min(bucket, tokens + (asked.at_s - last_s) * rate_per_s)
        last_s = asked.at_s
        if tokens < 1:
            return refusal(asked)
        tokens -= 1
        return good(asked)

    return reply


def frozen(after: int, for_s: float) -> Nature:
    """Stand still once after so many requests, then answer all that came meanwhile."""
    good, until_s = always(), None

    def reply(asked: Asked) -> Reply:
        nonlocal until_s
        if asked.arrival >= after and until_s is None:
            until_s = asked.at_s + for_s
        usual = good(asked)
        return replace(usual, delay_s=usual.delay_s + max(0.0, (until_s or 0.0) - asked.at_s))

    return reply


def dying(after: int) -> Nature:
    """Answer so many requests, then be gone."""
    return where(lambda asked: asked.arrival >= after, always(b"", then=Then.DIE))
