"""The script in Redis books as the ledger does: both are given the same turns at the same moments."""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.pace.share.ledger import Ledger, take_turn
from burstctl.pace.share.protocol import (
    AHEAD_US,
    LOCK_US,
    LONGEST_LEASE_US,
    LONGEST_US,
    MOST_MEMBERS,
    Ask,
    MismatchError,
)
from burstctl.pace.share.terms import US, Terms

from .conftest import RedisServer
from .test_ledger import TERMS, asks, make_ask

SCRIPT = resources.files("burstctl.pace.share").joinpath("ledger.lua").read_text()
CLOCK = "redis.call('TIME')"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="burstctl-lua-"))
    server = RedisServer(folder)
    client = redis.Redis.from_url(server.url)
    yield client
    client.close()
    server.kill()
    shutil.rmtree(folder)


def run(client: Any, ask: Ask, terms: Terms, now_us: int) -> list[int]:
    """Take a turn at the script, its clock replaced by a given moment."""
    assert SCRIPT.count(CLOCK) == 1
    script = SCRIPT.replace(CLOCK, "{KEYS[2], KEYS[3]}")
    bounds = (LONGEST_LEASE_US, LONGEST_US, LOCK_US, AHEAD_US, MOST_MEMBERS, 60_000)
    keys = ("burstctl:test", now_us // US, now_us % US)
    numbers: list[int] = client.eval(
        script, 3, *keys, terms.permits, terms.period_us, terms.window, *bounds, ask.member, *ask.numbers()
    )
    return numbers


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=st.lists(st.tuples(asks, st.integers(0, US), st.booleans()), max_size=25))
def test_script_and_ledger_agree(client: Any, turns: list[tuple[Ask, int, bool]]) -> None:
    client.delete("burstctl:test")
    book: Ledger | None = None
    now_us = 1_700_000_000 * US
    for ask, later_us, other in turns:
        now_us += later_us
        terms = Terms(11, US // 2, 19) if other else TERMS
        numbers = run(client, ask, terms, now_us)
        try:
            book, answer = take_turn(book, ask, terms, now_us)
        except MismatchError:
            assert numbers == [0]
            continue
        assert tuple(numbers) == answer.numbers()


def test_twenty_jobs_get_the_same_parts_from_both(client: Any) -> None:
    client.delete("burstctl:test")
    book: Ledger | None = None
    now_us, terms = 1_700_000_000 * US, Terms(300, US, 200)
    held = dict.fromkeys([f"job{i}" for i in range(20)], 0)
    serial = 0
    for _ in range(8):
        for name in held:
            now_us, serial = now_us + 7_001, serial + 1
            target = 15
            gone = max(0, held[name] - target)
            ask = make_ask(name, serial, held[name] - gone, wanted=300, released_us=(1000,) * gone)
            numbers = run(client, ask, terms, now_us)
            book, answer = take_turn(book, ask, terms, now_us)
            assert tuple(numbers) == answer.numbers()
            held[name] = answer.held + len(answer.granted_us)
    assert set(held.values()) == {15}


@pytest.mark.parametrize("poison", [b"", b"junk", b"\x93\x01\x02\x03", b"\xc1" * 40])
def test_a_poisoned_book_is_thrown_away(client: Any, poison: bytes) -> None:
    client.set("burstctl:test", poison)
    numbers = run(client, make_ask("a", 1), TERMS, 1_700_000_000 * US)
    assert len(numbers) == 11 + TERMS.permits


def test_a_book_that_claims_more_permits_than_there_are_is_thrown_away(client: Any) -> None:
    client.delete("burstctl:test")
    run(client, make_ask("a", 1), TERMS, 1_700_000_000 * US)
    poison = """
        local book = cmsgpack.unpack(redis.call('GET', KEYS[1]))
        book[11].a[3] = 1000
        redis.call('SET', KEYS[1], cmsgpack.pack(book))
    """
    client.eval(poison, 1, "burstctl:test")
    numbers = run(client, make_ask("b", 1), TERMS, 1_700_000_000 * US + 1)
    assert len(numbers) == 11 + TERMS.permits
