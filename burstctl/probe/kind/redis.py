"""The length of a queue in Redis or Valkey: a list, a stream or a sorted set. Needs the extra `redis`."""

from collections.abc import Sequence
from typing import Any

from burstctl.errors import UsageError
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "redis"

COMMANDS = {"list": "LLEN", "stream": "XLEN", "zset": "ZCARD"}


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for; `UsageError` where redis-py is not installed."""
    try:
        from redis import asyncio as client
    except ImportError as error:
        raise UsageError("a redis probe needs redis-py", hint="pip install 'burstctl[redis]'") from error
    limit_s = settings.timeout_s
    connection: Any = client.Redis.from_url(
        settings.text("url"), socket_timeout=limit_s, socket_connect_timeout=limit_s, single_connection_client=False
    )
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
            # The message may quote the URL or the password: its kind says enough.
            raise ProbeError(f"redis: {_words(error)}") from error
        return [{MAIN: float(length)}]

    async def aclose(self) -> None:
        await self._connection.aclose()


def _words(error: Exception) -> str:
    """Write `ConnectionError` as `connection error`."""
    name = type(error).__name__
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
