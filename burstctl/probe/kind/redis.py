"""The length of a queue in Redis or Valkey: a list, a stream or a sorted set. Needs the extra `redis`."""

import re
from collections.abc import Sequence
from typing import Any

from burstctl.errors import UsageError
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "redis"
HINT = "redis-cli must answer LLEN, XLEN or ZCARD of the key with a number, by this url and from this machine"

COMMANDS = {"list": "LLEN", "stream": "XLEN", "zset": "ZCARD"}
_CODE = re.compile(r"[A-Z]{3,16}\b")
"""How a Redis server's errors begin."""


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for; `UsageError` where redis-py is not installed or the URL is none."""
    try:
        from redis import asyncio as client
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError as error:
        raise UsageError("a redis probe needs redis-py", hint="pip install 'burstctl[redis]'") from error
    limit_s = settings.timeout_s
    try:
        connection: Any = client.Redis.from_url(
            settings.text("url"),
            socket_timeout=limit_s,
            socket_connect_timeout=limit_s,
            retry=Retry(NoBackoff(), 0),  # the next reading comes soon
            protocol=2,  # known to every server
        )
    except ValueError as error:  # its text may quote the password
        hint = "redis://, rediss:// or unix://, as redis://localhost:6379/0"
        raise UsageError(f"probe {settings.name}: url is no Redis URL", hint=hint) from error
    return _Redis(connection, COMMANDS[settings.text("type") or "list"], settings.text("key"))


class _Redis:
    def __init__(self, connection: Any, command: str, key: str) -> None:
        self._connection = connection
        self._command = command
        self._key = key

    async def read(self) -> Sequence[Reading]:
        from redis.exceptions import RedisError

        try:
            length = await self._connection.execute_command(self._command, self._key)
        except (RedisError, OSError) as error:
            raise ProbeError(f"redis: {self._words(error)}") from error
        except ValueError as error:  # a line without end
            raise ProbeError("redis: the answer is not one of Redis") from error
        if not isinstance(length, int):
            raise ProbeError(f"redis: the answer to {self._command} is no number")
        return [{MAIN: float(min(length, 2**63))}]

    async def aclose(self) -> None:
        await self._connection.aclose()

    def _words(self, error: Exception) -> str:
        """Write `ConnectionError` as `connection error`, and a server's code; the rest may quote URL or password."""
        code = _CODE.match(str(error))
        if code is not None and code[0] == "WRONGTYPE":
            return f"the key holds something that {self._command} does not count: see type"
        name = type(error).__name__
        words = "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
        return f"{words} {code[0]}" if code is not None else words
