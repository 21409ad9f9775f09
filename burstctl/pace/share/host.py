"""The ledger as a file for the jobs of one machine: locked for one turn at a time. Knows nothing of servers.

Its clock is the machine's monotonic one, which all processes share. A job that dies in mid-turn leaves a torn file: the
others then begin a new book with what they hold, as after any loss.
"""

import asyncio
import json
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

from burstctl.pace.share.ledger import Entry, Ledger, take_turn
from burstctl.pace.share.protocol import Answer, Ask, LostError
from burstctl.pace.share.terms import US, Terms

if sys.platform != "win32":
    import fcntl

_MOST_BYTES = 2**20
_LOCK_RETRY_S, _LOCK_WITHIN_S = 0.001, 0.25
_STALE_S = 3600.0


class HostWay:
    """Takes turns at a file; nothing of it stays open between two turns."""

    __slots__ = ("_now_us", "_path", "_terms")

    def __init__(self, folder: Path, key: str, terms: Terms, now_us: Callable[[], int] | None = None) -> None:
        self._path = folder / f"{key}.json"
        self._terms = terms
        self._now_us = now_us or _monotonic_us

    async def exchange(self, ask: Ask) -> Answer:
        if sys.platform == "win32":
            raise LostError("this system has no such file locks")
        _open_folder(self._path.parent)
        give_up_s = time.monotonic() + _LOCK_WITHIN_S
        while True:
            try:
                answer = self._try(ask)
            except OSError as error:
                raise LostError(f"{self._path}: {error.strerror or error}") from None
            if answer is not None:
                return answer
            if time.monotonic() > give_up_s:
                raise LostError(f"{self._path} stays locked")
            await asyncio.sleep(_LOCK_RETRY_S)

    async def aclose(self) -> None:
        """Nothing is open."""

    def _try(self, ask: Ask) -> Answer | None:
        """Take the turn if nobody else is at it."""
        assert sys.platform != "win32"
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self._path, flags, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return None
            status = os.fstat(descriptor)
            if status.st_nlink == 0:
                return None  # swept away meanwhile: open the one that stands there now
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.getuid():
                raise LostError(f"{self._path} is not a file of this user's")
            book = read_book(os.pread(descriptor, _MOST_BYTES, 0))
            book, answer = take_turn(book, ask, self._terms, self._now_us())
            data = write_book(book)
            os.pwrite(descriptor, data, 0)
            os.ftruncate(descriptor, len(data))
            return answer
        finally:
            os.close(descriptor)


def write_book(book: Ledger) -> bytes:
    """Write a ledger as JSON."""
    terms = book.terms
    members = {
        name: [one.serial, one.expires_us, one.held, one.wanted, one.window, one.window_wanted]
        for name, one in book.members.items()
    }
    numbers = [
        terms.permits, terms.period_us, terms.window, book.locked_until_us, book.base_latency_us, book.paused_until_us,
        book.cut_serial, book.cut_milli, book.hold_until_us,
    ]  # fmt: skip
    return json.dumps([*numbers, book.free_us, members], separators=(",", ":")).encode()


def read_book(data: bytes) -> Ledger | None:
    """Read a ledger; None where it is none, or can't be true."""
    try:
        *numbers, free_us, members = json.loads(data)
        permits, period_us, window, locked, base, paused, cuts, cut, hold = numbers
        entries = {str(name): Entry(*values) for name, values in members.items()}
        book = Ledger(Terms(permits, period_us, window), free_us, entries, locked, base, paused, cuts, cut, hold)
        whole = [*numbers, *free_us, *(number for values in members.values() for number in values)]
        return book if all(type(number) is int for number in whole) and book.is_sound else None
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def sweep(folder: Path) -> None:
    """Remove the ledgers of long ago; each is locked meanwhile, so that nobody is at it."""
    if sys.platform == "win32":
        return
    try:
        paths = [one for one in folder.iterdir() if one.suffix == ".json"]
    except OSError:
        return
    for path in paths:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if time.time() - os.fstat(descriptor).st_mtime > _STALE_S:
                path.unlink()
        except OSError:
            continue
        finally:
            os.close(descriptor)


def _open_folder(folder: Path) -> None:
    """Make the folder, or refuse one that somebody else could reach into."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise LostError(f"{folder}: {error.strerror}") from None
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
        raise LostError(f"{folder} is not a folder of this user's alone (mode 0700)")


def _monotonic_us() -> int:
    return time.monotonic_ns() * US // 1_000_000_000
