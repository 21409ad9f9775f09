"""Lengths are read from a real Redis, and faults are told without its password; liars are found out."""

import asyncio
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from burstctl.errors import UsageError
from burstctl.probe.probe import MAIN, ProbeError, Reading

Read = Callable[..., list[Reading]]
Ask = Callable[..., list[float | str]]

PASSWORD = "s3cret-pass"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Start a Redis of our own; give its URLs, on a Unix socket and on TCP."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("redis-server is not installed (apt-get install redis-server)")
    home = tmp_path_factory.mktemp("redis")
    unix = home / "redis.sock"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = [program, "--bind", "127.0.0.1", "--port", str(port), "--unixsocket", str(unix), "--dir", str(home)]
    process = subprocess.Popen(
        [*arguments, "--save", "", "--requirepass", PASSWORD], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            if unix.exists():
                break
            time.sleep(0.02)
        asyncio.run(fill(f"unix://:{PASSWORD}@{unix}"))
        yield [f"unix://:{PASSWORD}@{unix}", f"redis://:{PASSWORD}@127.0.0.1:{port}/0"]
    finally:
        process.terminate()
        process.wait(10)


async def fill(url: str) -> None:
    from redis import asyncio as client

    async with client.Redis.from_url(url) as connection:
        await connection.rpush("jobs", *"abc")
        await connection.xadd("stream", {"a": "b"})
        await connection.zadd("set", {"a": 1, "b": 2})
        await connection.acl_setuser(
            "watcher", enabled=True, passwords=[f"+{PASSWORD}"], keys=["jobs"], commands=["+llen"]
        )


@pytest.mark.parametrize(
    ("keys", "length"),
    [
        ({"key": "jobs"}, 3),
        ({"key": "jobs", "type": "list"}, 3),
        ({"key": "stream", "type": "stream"}, 1),
        ({"key": "set", "type": "zset"}, 2),
        ({"key": "none"}, 0),
    ],
)
def test_redis_lengths(read: Read, servers: list[str], keys: dict[str, str], length: int) -> None:
    for url in servers:
        assert read("redis", 2, url=url, **keys) == [{MAIN: length}] * 2


def test_a_user_that_may_do_nothing_else_is_enough(read: Read, servers: list[str]) -> None:
    url = servers[1].replace("//:", "//watcher:")
    assert read("redis", url=url, key="jobs") == [{MAIN: 3}]
    with pytest.raises(ProbeError, match=r"redis: no permission error( NOPERM)?$"):
        read("redis", url=url, key="stream", type="stream")


@pytest.mark.parametrize(
    ("change", "key", "said"),
    [
        ((PASSWORD, "wr0ng-pass"), "jobs", "redis: authentication error"),
        ((f":{PASSWORD}@", ""), "jobs", "redis: authentication error"),
        (("", ""), "stream", "redis: the key holds something that LLEN does not count: see type"),
        (("redis.sock", "none.sock"), "jobs", "redis: connection error"),
    ],
)
def test_redis_faults_are_told_without_the_password(
    read: Read, servers: list[str], change: tuple[str, str], key: str, said: str
) -> None:
    with pytest.raises(ProbeError, match=said) as told:
        read("redis", url=servers[0].replace(*change) if change[0] else servers[0], key=key)
    assert "pass" not in str(told.value)


def test_a_dead_redis_is_told_at_once(read: Read) -> None:
    began_s = time.monotonic()
    with pytest.raises(ProbeError, match=r"redis: connection error$"):
        read("redis", url=f"redis://:{PASSWORD}@127.0.0.1:1/0", key="jobs")
    assert time.monotonic() - began_s < 5


@pytest.mark.parametrize("url", ["http://127.0.0.1/?p=s3cret-pass", "s3cret-pass", "redis://:s3cret-pass@h:port/0"])
def test_a_url_of_something_else_is_refused_before_anything_is_sent(read: Read, url: str) -> None:
    with pytest.raises(UsageError, match="probe p: url is no Redis URL") as told:
        read("redis", url=url, key="jobs")
    assert PASSWORD not in f"{told.value} {told.value.hint}"


def test_without_the_extra_one_message_says_what_to_install(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(UsageError, match="a redis probe needs redis-py") as told:
        read("redis", url="redis://127.0.0.1:1", key="jobs")
    assert told.value.hint == "pip install 'burstctl[redis]'"


LIES = [
    (b"+OK\r\n", "redis: the answer to LLEN is no number"),
    (b"$3\r\nabc\r\n", "redis: the answer to LLEN is no number"),
    (b"*1\r\n:3\r\n", "redis: the answer to LLEN is no number"),
    (b"$-1\r\n", "redis: the answer to LLEN is no number"),
    (b":abc\r\n", "redis: invalid response"),
    (b"HTTP/1.1 400 Bad Request\r\n\r\n", "redis: invalid response"),
    (b"-LOADING Redis is loading s3cret-pass\r\n", "redis: busy loading error"),
    (b"-s3cret-pass\r\n", "redis: response error"),
    (b"-ERR s3cret-pass\r\n", "redis: response error"),
]


@pytest.mark.parametrize(("answer", "said"), LIES)
def test_liars(ask: Ask, answer: bytes, said: str) -> None:
    [found] = ask(speaking(answer), "redis", 1, url="redis://ADDRESS/0", key="jobs")
    assert str(found).startswith(said)
    assert "pass" not in str(found)


def test_a_number_beyond_all_bounds_is_still_one(ask: Ask) -> None:
    answer = b":1" + b"0" * 400 + b"\r\n"
    assert ask(speaking(answer), "redis", 1, url="redis://ADDRESS/0", key="jobs") == [float(2**63)]


def speaking(answer: bytes, pauses_s: tuple[float, ...] = ()) -> Any:
    """Answer what a client says about itself by OK, and a question for a length by `answer`, or `:1`, `:2`…"""
    left, asked = list(pauses_s), 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        try:
            while said := await reader.read(4096):
                for _ in range(said.count(b"\r\nCLIENT\r\n")):
                    writer.write(b"+OK\r\n")
                if b"LLEN" in said:
                    asked += 1
                    mine = asked
                    await asyncio.sleep(left.pop(0) if left else 0)
                    writer.write(answer or b":%d\r\n" % mine)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.transport.abort()

    return serve


def test_after_a_reading_that_was_given_up_the_next_one_gets_its_own_answer(ask: Ask) -> None:
    found = ask(speaking(b"", (0.5, 0, 0)), "redis", 3, within_s=0.3, url="redis://ADDRESS/0", key="jobs")
    assert found == ["TimeoutError", 2, 3]


@pytest.mark.parametrize("start", [b"+", b":", b"$2000000000\r\n"])
def test_answers_without_end(ask: Ask, flooding: Callable[..., Any], start: bytes) -> None:
    [said] = ask(flooding(start, b"1" * 65536, 0.01), "redis", 1, within_s=3, url="redis://ADDRESS/0", key="jobs")
    assert isinstance(said, str)
