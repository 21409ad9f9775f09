"""`--wait-ready`: polls a URL until it answers 2xx. Sends nothing but plain GETs, without the manifest's headers."""

import anyio
import httpx

from burstctl.clock import Clock
from burstctl.plan import Request, Target, Timeouts
from burstctl.secret import redact_url
from burstctl.send.exchange import HttpSender
from burstctl.send.open import open_carrier
from burstctl.units import format_duration

_PAUSE_S = 0.5
_TIMEOUTS = Timeouts(connect_s=2.0, first_byte_s=5.0, idle_s=5.0, total_s=5.0)


async def wait_until_ready(url: str, within_s: float, like: Target, clock: Clock) -> str | None:
    """Poll, with the TLS settings and the proxy of a target; a text says why the wait was in vain."""
    parsed = httpx.URL(url)
    origin = str(parsed.copy_with(path="/", query=None, fragment=None))
    target = Target(origin, timeouts=_TIMEOUTS, tls=like.tls, proxy=like.proxy)
    carrier, _ = open_carrier(target, clock)
    sender = HttpSender(target, carrier, clock)
    request = Request(0, "ready", "GET", parsed.raw_path.decode("ascii"), headers=(("user-agent", "burstctl"),))
    until_s, last = clock.now() + within_s, "no answer"
    try:
        while clock.now() < until_s:
            with anyio.move_on_after(until_s - clock.now()):
                answer = await sender.send(request, 0)
                if answer.status is not None and 200 <= answer.status < 300:
                    return None
                last = f"status {answer.status}" if answer.status is not None else f"{answer.fault}: {answer.detail}"
                await anyio.sleep(_PAUSE_S)
    finally:
        await sender.aclose()
    return f"{redact_url(url)} was not ready within {format_duration(within_s)}: {last}"
