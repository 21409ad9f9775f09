"""The ledger in a real Redis: what it stores, what it costs, and how it says what is wrong."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
import redis

from burstctl.clock import LoopClock
from burstctl.errors import UsageError
from burstctl.pace.share.keeper import Keeper
from burstctl.pace.share.member import Member
from burstctl.pace.share.permits import Permits
from burstctl.pace.share.protocol import LostError
from burstctl.pace.share.redis import RedisWay
from burstctl.pace.share.split import Share
from burstctl.pace.share.terms import terms_of

from .conftest import Job, RedisServer, jain, most_in
from .test_ledger import TERMS, make_ask

T = TypeVar("T")


def ask_at(url: str, use: Callable[[RedisWay], Awaitable[T]]) -> T:
    async def main() -> T:
        way = RedisWay(url, "key", TERMS)
        try:
            return await use(way)
        finally:
            await way.aclose()

    return asyncio.run(main())


def test_a_ledger_is_one_key_with_a_prefix_that_dies_by_itself(redis_server: RedisServer) -> None:
    answer = ask_at(redis_server.url, lambda way: way.exchange(make_ask("a", 1)))
    assert len(answer.granted_us) == 12
    with redis.Redis.from_url(redis_server.url) as client:
        assert client.keys() == [b"burstctl:key"]
        assert 0 < client.pttl("burstctl:key") <= 30_000


def test_rights_on_the_prefix_and_four_commands_are_enough(redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        rights = "on >a-password ~burstctl:* -@all +evalsha +eval +time +get +set +auth"
        client.execute_command("ACL", "SETUSER", "ci", *rights.split())
    url = redis_server.url.replace("unix://", "unix://ci:a-password@")
    assert len(ask_at(url, lambda way: way.exchange(make_ask("a", 1))).granted_us) == 12


def test_a_server_that_forgot_the_script_is_told_it_again(redis_server: RedisServer) -> None:
    async def use(way: RedisWay) -> int:
        await way.exchange(make_ask("a", 1))
        with redis.Redis.from_url(redis_server.url) as client:
            client.script_flush()
        return (await way.exchange(make_ask("a", 2, 12))).held

    assert ask_at(redis_server.url, use) == 12


def test_a_wrong_password_is_named_and_not_shown(redis_folder: Path) -> None:
    server = RedisServer(redis_folder, "--requirepass", "the-right-one")
    try:
        for url in (server.url, server.url.replace("unix://", "unix://:the-wrong-one@")):
            with pytest.raises(LostError) as caught:
                ask_at(url, lambda way: way.exchange(make_ask("a", 1)))
            assert str(caught.value) == "wrong password or user"
    finally:
        server.kill()


def test_a_replica_is_no_ledger(redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.replicaof("127.0.0.1", "1")
    with pytest.raises(LostError, match="READONLY"):
        ask_at(redis_server.url, lambda way: way.exchange(make_ask("a", 1)))


def test_a_server_that_is_gone_is_a_loss_and_one_that_is_back_is_found(redis_server: RedisServer) -> None:
    async def use(way: RedisWay) -> int:
        await way.exchange(make_ask("a", 1))
        redis_server.kill()
        for _ in range(2):
            with pytest.raises(LostError):
                await way.exchange(make_ask("a", 2, 12))
        redis_server.start()
        return (await way.exchange(make_ask("a", 3, 12))).held

    assert ask_at(redis_server.url, use) == 12


def test_what_is_no_answer_is_a_loss(redis_server: RedisServer) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.lpush("burstctl:key", "a list")
    with pytest.raises(LostError, match="WRONGTYPE"):
        ask_at(redis_server.url, lambda way: way.exchange(make_ask("a", 1)))


def test_an_address_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        RedisWay("redis://host:port", "key", TERMS)


@pytest.mark.parametrize(("rate_per_s", "count"), [(300.0, 20), (3000.0, 3)])
def test_many_or_fast_jobs_are_served_alike_and_seldom_ask(
    redis_server: RedisServer, rate_per_s: float, count: int
) -> None:
    length_s = 5.0

    async def main() -> list[Job]:
        ways = [RedisWay(redis_server.url, "key", terms_of(rate_per_s, 200)) for _ in range(count)]
        jobs = [Job(f"job{i}", way, rate_per_s) for i, way in enumerate(ways)]
        await asyncio.gather(*(job.run(0, length_s) for job in jobs))
        return jobs

    with redis.Redis.from_url(redis_server.url) as client:
        before = client.info("stats")["total_commands_processed"]
        began_s = time.monotonic()
        jobs = asyncio.run(main())
        took_s = time.monotonic() - began_s
        commands = client.info("stats")["total_commands_processed"] - before
    stamps = [stamp for job in jobs for stamp in job.stamps]
    assert most_in(stamps, 1.0) <= rate_per_s
    assert jain([job.sent_between(min(stamps) + 1.5, max(stamps)) for job in jobs]) >= 0.98
    # The server counts what the script does as well: each turn is four commands to it.
    assert commands / took_s / count <= 25


def test_an_hour_between_two_clocks_changes_nothing(redis_server: RedisServer) -> None:
    class Shifted(LoopClock):
        def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
            super().__init__(loop)
            self.now = lambda: loop.time() + 3600.0

    async def main() -> list[int]:
        loop = asyncio.get_running_loop()
        terms = terms_of(300.0, 200)
        members: list[Any] = []
        for clock in (LoopClock(loop), Shifted(loop)):
            permits = Permits(terms, clock)
            member = Member(f"m{len(members)}", terms, permits, Share())
            members.append(member)
            keeper = Keeper(RedisWay(redis_server.url, "key", terms), member, clock)
            await keeper.join()
            await keeper.leave()
        return [member.most_jobs for member in members]

    assert asyncio.run(main()) == [1, 1]
