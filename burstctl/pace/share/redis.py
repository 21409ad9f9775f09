"""The ledger in Redis or Valkey, for jobs wherever they run: one script, one round trip for each turn.

The script keeps the time and the books; this file only carries questions and answers.
"""

import hashlib
from importlib import resources
from typing import Any

from burstctl.errors import UsageError
from burstctl.pace.share.protocol import (
    AHEAD_US,
    LOCK_US,
    LONGEST_LEASE_US,
    LONGEST_US,
    MOST_MEMBERS,
    Answer,
    Ask,
    LostError,
    MismatchError,
    read_answer,
)
from burstctl.pace.share.terms import Terms

PREFIX = "burstctl:"
_LIVES_MS = 30_000
"""A ledger that nobody asks is forgotten after this: longer than any lease, and it bounds what is left there."""
_CONNECT_S = 2.0
_MOST_REASON = 120


class RedisWay:
    """Takes turns at a server; one connection, made again when it is lost."""

    def __init__(self, url: str, key: str, terms: Terms) -> None:
        try:
            from redis.asyncio import Redis
        except ImportError:
            hint = "pip install 'burstctl[redis]'; or share: host, for jobs on one machine"
            raise UsageError("a share in Redis needs the extra redis", hint=hint) from None
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        try:
            # Neither retries nor health checks: the keeper decides when to try again, and each is a command more.
            self._redis: Any = Redis.from_url(
                url,
                retry=Retry(NoBackoff(), 0),
                socket_connect_timeout=_CONNECT_S,
                single_connection_client=True,
            )
        except ValueError as error:
            raise UsageError(f"share: {error}") from None
        self._key = PREFIX + key
        self._script = resources.files("burstctl.pace.share").joinpath("ledger.lua").read_bytes()
        self._digest = hashlib.sha1(self._script, usedforsecurity=False).hexdigest()
        self._terms = terms

    async def exchange(self, ask: Ask) -> Answer:
        from redis.exceptions import AuthenticationError, NoScriptError, ReadOnlyError, RedisError

        terms = self._terms
        lives_ms = max(_LIVES_MS, 3 * terms.period_us // 1000)
        bounds = (LONGEST_LEASE_US, LONGEST_US, LOCK_US, AHEAD_US, MOST_MEMBERS, lives_ms)
        arguments = (
            self._key, terms.permits, terms.period_us, terms.window, *bounds, ask.member, *ask.numbers(),
        )  # fmt: skip
        client = self._redis
        try:
            try:
                reply = await client.evalsha(self._digest, 1, *arguments)
            except NoScriptError:
                reply = await client.eval(self._script, 1, *arguments)
        except AuthenticationError:
            raise LostError("wrong password or user") from None
        except ReadOnlyError:
            raise LostError("READONLY: it is a replica") from None
        except (RedisError, OSError, TimeoutError) as error:
            raise LostError(_reason(error)) from None
        if reply == [0]:
            raise MismatchError
        if reply == [1]:
            raise LostError("too many jobs share one ceiling")
        return read_answer(reply if isinstance(reply, list) else [], ask, terms)

    async def aclose(self) -> None:
        await self._redis.aclose()


def _reason(error: Exception) -> str:
    """Tell what went wrong in a line; the client's errors name host and port, never the password."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:_MOST_REASON].rstrip(".")
