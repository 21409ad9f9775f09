"""Which transport sends, and what the user is told of it."""

import asyncio

import pytest

from burstctl.clock import LoopClock
from burstctl.plan import Target, Tls
from burstctl.send.open import open_carrier


@pytest.mark.parametrize(
    ("target", "kind", "note"),
    [
        (Target("http://localhost"), "Http1Transport", None),
        (Target("https://localhost"), "Http1Transport", None),
        (Target("http://localhost", http="2"), "HttpxCarrier", "HTTP/2: sent by stock httpx"),
        (Target("http://localhost", proxy="http://localhost:3128"), "HttpxCarrier", "proxy: sent by stock httpx"),
    ],
)
def test_stock_httpx_sends_only_what_ours_can_not(target: Target, kind: str, note: str | None) -> None:
    async def main() -> tuple[str, str | None]:
        carrier, said = open_carrier(target, LoopClock(asyncio.get_running_loop()))
        await carrier.aclose()
        return type(carrier).__name__, said

    opened, said = asyncio.run(main())
    assert opened == kind
    assert (said or "").startswith(note or "")
    assert (said is None) == (note is None)


def test_a_missing_tls_file_is_noticed_before_anything_is_sent() -> None:
    async def main() -> None:
        with pytest.raises(FileNotFoundError):
            open_carrier(
                Target("https://localhost", tls=Tls(ca="/no/such/ca.pem")), LoopClock(asyncio.get_running_loop())
            )

    asyncio.run(main())
