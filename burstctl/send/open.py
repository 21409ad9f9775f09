"""Chooses what carries requests to a target: our own transport, or stock httpx for what ours does not speak."""

import httpx

from burstctl.clock import Clock
from burstctl.plan import Target
from burstctl.send.carrier import Carrier
from burstctl.send.http1.transport import Http1Transport
from burstctl.send.over_httpx import HttpxCarrier
from burstctl.send.stock import LaneTransport
from burstctl.send.tls import ssl_context


def open_carrier(target: Target, clock: Clock) -> tuple[Carrier, str | None]:
    """Make a carrier; the text says what it can't do, for the run's notes. Raises OSError for unfit TLS files."""
    slow = "proxy" if target.proxy is not None else "HTTP/2" if target.http == "2" else None
    if slow is not None:
        carrier = HttpxCarrier(target, LaneTransport(target))
        return carrier, f"{slow}: sent by stock httpx, which manages about 1,000 requests/s"
    origin, context = httpx.URL(target.base_url), None
    if origin.scheme == "https":
        context = ssl_context(target)
        context.set_alpn_protocols(["http/1.1"])
    return Http1Transport(origin, context, clock.now), None
