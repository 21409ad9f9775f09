"""Numbers in a growing log: of a file, through rotation and truncation, or of a command that goes on printing."""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from burstctl.probe.number import number
from burstctl.probe.probe import MAIN, Means, Output, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "log"
HINT = "file is relative to the manifest; pattern must find the lines that tell the value"

_MOST_BYTES = 2**20
"""Read at once; of a file that grows faster only the end counts."""
_MOST_HELD = 4 * _MOST_BYTES
"""Of what broken-off readings have fetched; again only the end counts."""
_LONGEST_LINE = 4096
"""What follows in a longer one is not looked at."""
_SLICE = 200
"""Lines between two breaths."""


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    command = settings.listed("command")
    source = _Command(command, settings.timeout_s / 2, means) if command else _File(settings.text("file"), means)
    return _Log(source, re.compile(settings.text("pattern")), means)


class _Log:
    """Finds the values in what a source says."""

    def __init__(self, source: "_File | _Command", pattern: re.Pattern[str], means: Means) -> None:
        self._source = source
        self._pattern = pattern
        self._breathe = means.breathe
        self._held = b""

    async def read(self) -> Sequence[Reading]:
        self._held = _end_of(self._held + await self._source.more())
        *lines, rest = self._held.split(b"\n")
        values: list[float] = []
        unfit = 0
        for count, line in enumerate(lines):
            if count % _SLICE == _SLICE - 1:
                await self._breathe()
            match = self._pattern.search(line[:_LONGEST_LINE].rstrip(b"\r").decode("utf-8", "replace"))
            if match is not None:
                value = number((match["value"] or "").strip())
                values += [] if value is None else [value]
                unfit += value is None
        # Not before: a reading may be broken off where it breathes, and the next one makes it good.
        self._held = rest[:_LONGEST_LINE]
        old, self._source.tells_the_past = self._source.tells_the_past, False
        if unfit and not values:
            raise ProbeError("what the pattern finds as value is no number")
        # What stood there before the first reading tells where the value is now, and no more.
        return [{MAIN: value} for value in (values[-1:] if old else values)]

    async def aclose(self) -> None:
        await self._source.aclose()


class _File:
    """Gives what a file has grown by. Held open: what was written before a rotation is still read after it."""

    def __init__(self, path: str, means: Means) -> None:
        self._path = Path(path)
        self._lane = means.open_lane()  # files may lie on a network
        self._file: BinaryIO | None = None
        self._fetched = b""
        self.tells_the_past = True

    async def more(self) -> bytes:
        try:
            await self._lane.run(self._fetch)
        except OSError as error:
            self.tells_the_past = False
            raise ProbeError(f"the log can't be read: {(error.strerror or str(error)).lower()}") from error
        fetched, self._fetched = self._fetched, b""
        return fetched

    async def aclose(self) -> None:
        if self._file is not None:
            self._file.close()

    def _fetch(self) -> None:
        # The file is read on from here, whether or not anybody still waits for what was fetched.
        self._fetched = _end_of(self._fetched + self._grown())

    def _grown(self) -> bytes:
        grown = _tail(self._file) if self._file is not None else b""
        try:
            now = self._path.stat()
        except OSError:
            if grown:
                return grown
            raise
        if self._file is None or not os.path.samestat(now, os.fstat(self._file.fileno())):
            successor = _open(self._path)
            if self._file is not None:
                self._file.close()
                grown += b"\n"
            self._file = successor
            grown += _tail(successor)
        return grown


def _end_of(held: bytes) -> bytes:
    """Bound what is held."""
    return held if len(held) <= _MOST_HELD else b"\n" + held[-_MOST_HELD:]


def _open(path: Path) -> BinaryIO:
    """Open a file; never waits, as it would for the writer of a pipe."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ProbeError("the log is not a file")
    return os.fdopen(handle, "rb")


def _tail(file: BinaryIO) -> bytes:
    """Read on from where the last reading ended; from the start where the file was emptied since."""
    size, offset = os.fstat(file.fileno()).st_size, file.tell()
    if size < offset:
        return b"\n" + _read(file, max(0, size - _MOST_BYTES))
    if size - offset > _MOST_BYTES:
        return b"\n" + _read(file, size - _MOST_BYTES)
    return _read(file, offset)


def _read(file: BinaryIO, offset: int) -> bytes:
    file.seek(offset)
    return file.read(_MOST_BYTES)


class _Command:
    """Gives what a command prints; it is started by the first reading."""

    def __init__(self, command: Sequence[str], patience_s: float, means: Means) -> None:
        self._command = command
        self._patience_s = patience_s
        self._follow = means.follow
        self._output: Output | None = None
        self.tells_the_past = True

    async def more(self) -> bytes:
        if self._output is None:
            self._output = await self._follow(self._command)
        wait_s, self._patience_s = self._patience_s, 0.0
        return await self._output.more(wait_s)

    async def aclose(self) -> None:
        if self._output is not None:
            await self._output.aclose()
