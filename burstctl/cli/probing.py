"""What probes may use of the world, with connections, processes and threads of their own.

Nothing here is in any figure of the load.
"""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace

import httpx

from burstctl.cli.child import execute, follow
from burstctl.cli.lane import ThreadLane
from burstctl.clock import Clock
from burstctl.plan import Request, Target, Timeouts, Tls
from burstctl.probe.probe import Means, ProbeError
from burstctl.send.exchange import HttpSender
from burstctl.send.open import open_carrier

_TIMEOUTS = Timeouts(connect_s=5.0, first_byte_s=60.0, idle_s=60.0, total_s=60.0)
"""Wider than any probe's own time-out, which ends a reading."""
_USER_AGENT = ("user-agent", "burstctl")


class Fetcher:
    """Gets URLs; a connection to each origin is kept."""

    def __init__(self, like: Target, clock: Clock) -> None:
        """Of its TLS settings, trust holds for the target's host, a client certificate goes to its origin only."""
        self._like = like
        self._clock = clock
        self._senders: dict[tuple[str, int], HttpSender] = {}

    async def fetch(self, url: str, headers: Mapping[str, str], most_bytes: int) -> bytes:
        """Get a URL's body; raises `ProbeError` for anything but a whole 2xx."""
        try:
            parsed = httpx.URL(url)
            sender = self._sender(parsed, most_bytes)
        except (httpx.InvalidURL, OSError) as error:  # OSError: a TLS file that can't be used
            raise ProbeError("the URL can't be used") from error
        names = {name.lower() for name in headers}
        own = [header for header in (_USER_AGENT, *_login(parsed)) if header[0] not in names]
        request = Request(0, "probe", "GET", parsed.raw_path.decode("ascii"), (*own, *headers.items()))
        answer = await sender.send(request, most_bytes)
        if answer.fault is not None:
            raise ProbeError(f"{answer.fault}: {answer.detail}")
        status = answer.status or 0
        if not 200 <= status < 300:
            raise ProbeError(f"status {status}{': redirects are not followed' if 300 <= status < 400 else ''}")
        return answer.body

    async def aclose(self) -> None:
        for sender in self._senders.values():
            await sender.aclose()

    def _sender(self, url: httpx.URL, most_bytes: int) -> HttpSender:
        origin = str(url.copy_with(path="/", query=None, fragment=None, userinfo=b""))
        key = origin, most_bytes
        if key not in self._senders:
            target = Target(origin, timeouts=_TIMEOUTS, tls=_tls_towards(url, self._like), max_body=most_bytes)
            self._senders[key] = HttpSender(target, open_carrier(target, self._clock)[0], self._clock)
        return self._senders[key]


def _tls_towards(url: httpx.URL, like: Target) -> Tls:
    """Give what of a target's TLS settings is meant for a URL: metrics are often served on another port of its host."""
    own = httpx.URL(like.base_url)
    if own.host != url.host:
        return Tls()
    is_own = (own.scheme, own.port) == (url.scheme, url.port)  # a scheme's default port is None
    return like.tls if is_own else replace(like.tls, cert=None, key=None)


def _login(url: httpx.URL) -> list[tuple[str, str]]:
    """Give a URL's user info as a header."""
    if not url.userinfo:
        return []
    return [("authorization", f"Basic {b64encode(f'{url.username}:{url.password}'.encode()).decode()}")]


async def _breathe() -> None:
    await asyncio.sleep(0)


def open_means(target: Target, clock: Clock) -> tuple[Means, Fetcher]:
    """Give what probes need; the fetcher is the caller's to close."""
    fetcher = Fetcher(target, clock)
    return Means(fetcher.fetch, execute, follow, clock.wall, ThreadLane, _breathe), fetcher
