"""Reads from an earlier run's log, `--responses` or `ndjson`, which of its requests failed. Writes nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from burstctl.errors import UsageError


def read_failed(path: str) -> dict[int, str]:
    """Give index and name of every request that the log says failed; `UsageError` names a bad line.

    The last line on a request holds: an attempt that failed may have been tried again.
    """
    failed: dict[int, str] = {}
    try:
        with Path(path).open(encoding="utf-8") as file:
            for index, name, succeeded in _entries(path, file):
                if succeeded:
                    failed.pop(index, None)
                else:
                    failed[index] = name
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"can't read {path}: {reason}") from error
    return failed


def _entries(path: str, file: TextIO) -> Iterator[tuple[int, str, bool]]:
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            yield _read(line)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if not line.endswith("\n"):
                return  # the last line of a run that was killed
            raise UsageError(
                f"{path}:{number}: not a line of a --responses or ndjson file", hint="give the file of an earlier run"
            ) from error


def _read(line: str) -> tuple[int, str, bool]:
    """Read a request's index and name, and whether it succeeded."""
    entry = json.loads(line)
    index, name = entry["index"], entry["name"]
    succeeded = entry["succeeded"] if "succeeded" in entry else {"succeeded": True, "failed": False}[entry["outcome"]]
    if not isinstance(index, int) or not isinstance(name, str) or not isinstance(succeeded, bool):
        raise TypeError
    return index, name, succeeded
