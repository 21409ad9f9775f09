"""The ledger as a file: safe from others, from crashes and from long waits."""

import asyncio
import fcntl
import os
import time
from pathlib import Path

import pytest

from burstctl.pace.share.host import HostWay, read_book, sweep, write_book
from burstctl.pace.share.ledger import take_turn
from burstctl.pace.share.protocol import Answer, Ask, LostError
from burstctl.pace.share.terms import US

from .test_ledger import TERMS, make_ask


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "burstctl"


def turn(folder: Path, ask: Ask) -> Answer:
    return asyncio.run(HostWay(folder, "key", TERMS).exchange(ask))


def test_two_processes_meet_in_one_file_that_is_theirs_alone(folder: Path) -> None:
    assert len(turn(folder, make_ask("a", 1)).granted_us) == 12
    assert turn(folder, make_ask("b", 1)).target == 6
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "key.json").stat().st_mode & 0o777 == 0o600


def test_a_book_is_read_as_it_was_written() -> None:
    book, _ = take_turn(None, make_ask("a", 1, wanted=5, pause_us=9, cut_milli=7, base_latency_us=3), TERMS, US)
    assert read_book(write_book(book)) == book


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"[1,2,3]", b"null", b'[12,1000000,20,0,0,0,0,0,0,[1,2],{"a":[1,2,3,4,5,6]}]', b"\xff"]
)
def test_a_torn_or_poisoned_file_begins_a_new_book(folder: Path, data: bytes) -> None:
    turn(folder, make_ask("a", 1))
    (folder / "key.json").write_bytes(data)
    answer = turn(folder, make_ask("b", 1, 3))
    assert (answer.held, answer.granted_us) == (3, ())  # others may hold the rest


def test_a_folder_that_others_can_reach_into_is_refused(folder: Path) -> None:
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    with pytest.raises(LostError, match="0700"):
        turn(folder, make_ask("a", 1))


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    folder.mkdir(mode=0o700)
    (tmp_path / "precious").write_text("x")
    (folder / "key.json").symlink_to(tmp_path / "precious")
    with pytest.raises(LostError):
        turn(folder, make_ask("a", 1))
    assert (tmp_path / "precious").read_text() == "x"


def test_a_lock_that_is_held_is_waited_for_without_blocking_anybody(folder: Path) -> None:
    turn(folder, make_ask("a", 1))

    async def main() -> tuple[int, Answer]:
        descriptor = os.open(folder / "key.json", os.O_RDWR)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        exchange = asyncio.ensure_future(HostWay(folder, "key", TERMS).exchange(make_ask("a", 2, 12)))
        rounds = 0
        for _ in range(10):
            await asyncio.sleep(0.001)
            rounds += not exchange.done()
        os.close(descriptor)
        return rounds, await exchange

    rounds, answer = asyncio.run(main())
    assert (rounds, answer.held) == (10, 12)


def test_a_lock_that_stays_is_a_loss(folder: Path) -> None:
    turn(folder, make_ask("a", 1))
    descriptor = os.open(folder / "key.json", os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(LostError, match="stays locked"):
            turn(folder, make_ask("a", 2, 12))
    finally:
        os.close(descriptor)


def test_only_books_of_long_ago_are_swept_away(folder: Path) -> None:
    turn(folder, make_ask("a", 1))
    old = folder / "old.json"
    old.write_bytes(b"")
    long_ago_s = time.time() - 7200
    os.utime(old, (long_ago_s, long_ago_s))
    sweep(folder)
    assert [path.name for path in folder.iterdir()] == ["key.json"]
