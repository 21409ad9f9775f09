"""Numbers in a growing log: of a file, through rotation and truncation, or of a command that goes on printing."""

import math
import os
import re
from collections.abc import Sequence
from pathlib import Path

from burstctl.probe.probe import MAIN, Means, Output, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "log"

_MOST_BYTES = 2**20
"""Read at once; of a log that grows faster only the end counts."""
_LONGEST_LINE = 4096


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    pattern = re.compile(settings.text("pattern"))
    command = settings.listed("command")
    return _CommandLog(command, pattern, means) if command else _FileLog(settings.text("file"), pattern)


def values_in(lines: Sequence[str], pattern: re.Pattern[str]) -> list[Reading]:
    """Give the pattern's `value` of each line in which it is found."""
    found: list[Reading] = []
    for line in lines:
        match = pattern.search(line[:_LONGEST_LINE])
        if match is None:
            continue
        try:
            value = float(match["value"])
        except (TypeError, ValueError):
            continue
        if math.isfinite(value):
            found.append({MAIN: value})
    return found


class _FileLog:
    def __init__(self, path: str, pattern: re.Pattern[str]) -> None:
        self._path = Path(path)
        self._pattern = pattern
        self._inode: int | None = None
        self._offset = 0
        self._rest = b""

    async def read(self) -> Sequence[Reading]:
        try:
            with self._path.open("rb") as file:
                known = os.fstat(file.fileno())
                first = self._inode is None
                if known.st_ino != self._inode or known.st_size < self._offset:  # another file, or emptied
                    self._inode, self._offset, self._rest = known.st_ino, 0, b""
                if known.st_size - self._offset > _MOST_BYTES:
                    self._offset, self._rest = known.st_size - _MOST_BYTES, b""
                file.seek(self._offset)
                data = file.read(_MOST_BYTES)
        except OSError as error:
            raise ProbeError(f"the log can't be read: {(error.strerror or str(error)).lower()}") from error
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest[-_LONGEST_LINE:]
        values = values_in([line.decode("utf-8", "replace") for line in lines], self._pattern)
        # What stood there before the first reading tells where the value is now, and no more.
        return values[-1:] if first else values

    async def aclose(self) -> None:
        """No file stays open between two readings."""


class _CommandLog:
    def __init__(self, command: Sequence[str], pattern: re.Pattern[str], means: Means) -> None:
        self._command = command
        self._pattern = pattern
        self._follow = means.follow
        self._output: Output | None = None

    async def read(self) -> Sequence[Reading]:
        if self._output is None:
            self._output = await self._follow(self._command)
        return values_in(self._output.lines(), self._pattern)

    async def aclose(self) -> None:
        if self._output is not None:
            await self._output.aclose()
