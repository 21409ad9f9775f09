"""One JSON line for every request's end, with its answer: written as the run goes, read back to repeat what failed."""

import json
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO

from burstctl.errors import UsageError
from burstctl.outcome import Outcome
from burstctl.plan import Request
from burstctl.secret import Redactor, secret_values

_FLUSH_S = 1.0
_SHOWN = 200
_FLUSH_BYTES = 64 * 1024


class ResponseLog:
    """Appends lines to a file that only its owner can read; a failing disk ends the log, not the run.

    Several processes may write to one file: what goes out at once is whole lines.
    """

    def __init__(self, path: str, redactor: Redactor, *, joined: bool = False) -> None:
        """Open `path` anew, or join those who write to it already; `UsageError` if that can't be done."""
        self._redactor = redactor
        self._flushed_s = 0.0
        self._lines = bytearray()
        self.error: str | None = None
        """Why lines are missing."""
        try:
            self._file: BinaryIO = os.fdopen(_open_log(Path(path), joined=joined), "ab", buffering=0)
        except OSError as error:
            raise UsageError(f"can't write {path}: {(error.strerror or str(error)).lower()}") from error

    def add(self, request: Request, outcome: Outcome) -> None:
        """Write one line."""
        if self.error is not None:
            return
        own = secret_values(request.headers, request.target) if request.row is not None else []
        redactors = (self._redactor, Redactor(own)) if own else (self._redactor,)
        answer = outcome.last.answer if outcome.last is not None else None
        entry = _entry(request, outcome)
        text = None if answer is None or answer.status is None else answer.body.decode("utf-8", "backslashreplace")
        try:
            line = _write({**entry, "body": None if text is None else _read(text)}, redactors)
        except (ValueError, RecursionError):  # whatever an answer may hold, its text can be written
            line = _write({**entry, "body": text}, redactors)
        # What UTF-8 can't carry (half a surrogate pair in a JSON answer) becomes the JSON escape that it was.
        self._lines += line.encode("utf-8", "backslashreplace") + b"\n"
        if len(self._lines) >= _FLUSH_BYTES or outcome.done_s - self._flushed_s >= _FLUSH_S:
            self._flushed_s = outcome.done_s
            self._flush()

    def close(self) -> None:
        self._flush()
        try:
            self._file.close()
        except OSError as error:
            self.error = self.error or (error.strerror or str(error)).lower()

    def _flush(self) -> None:
        try:
            while self._lines and self.error is None:
                del self._lines[: self._file.write(self._lines)]
        except OSError as error:
            self.error = (error.strerror or str(error)).lower()


def _entry(request: Request, outcome: Outcome) -> dict[str, object]:
    """Say what became of a request, but for the answer's body."""
    answer = outcome.last.answer if outcome.last is not None else None
    return {
        "index": outcome.index,
        "id": next((value for name, value in request.headers if name.lower() == "x-request-id"), None),
        "name": outcome.name,
        "row": outcome.row,
        "outcome": "succeeded" if outcome.failure is None else "failed",
        "cause": None if outcome.failure is None else outcome.failure.cause,
        "example": None if outcome.failure is None else outcome.failure.example or None,
        "attempts": outcome.attempts,
        "status": answer.status if answer is not None else None,
    }


def _write(entry: dict[str, object], redactors: Sequence[Redactor]) -> str:
    """Write a line; texts are masked first and cut then."""
    masked = {key: _mask(value, redactors) for key, value in entry.items()}
    if isinstance(example := masked["example"], str):
        masked["example"] = example[:_SHOWN]
    return json.dumps(masked, ensure_ascii=False, allow_nan=False)


def _read(text: str) -> object:
    """Give a JSON body as JSON, any other as text."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return text


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):  # 1e999 is good JSON and no number that can be written again
        raise ValueError(text)
    return number


def _mask(value: object, redactors: Sequence[Redactor]) -> object:
    """Mask secrets in every text, after parsing: JSON may escape any character of them."""
    if isinstance(value, str):
        for redactor in redactors:
            value = redactor.redact(value)
        return value
    if isinstance(value, dict):
        return {_mask(key, redactors): _mask(item, redactors) for key, item in value.items()}
    if isinstance(value, list):
        return [_mask(item, redactors) for item in value]
    return value


def _open_log(path: Path, *, joined: bool) -> int:
    """Open the log's file anew, or one that others write to already; a device or pipe is taken as it is."""
    if path.exists() and not path.is_file():
        return os.open(path, os.O_WRONLY)
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    if not joined:
        path.unlink(missing_ok=True)
        flags |= os.O_CREAT | os.O_EXCL
    return os.open(path, flags, 0o600)


def read_failed(path: str) -> dict[int, str]:
    """Give index and name of every request that an earlier log says failed; `UsageError` names a bad line."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            return {index: name for index, name, failed in _entries(path, file) if failed}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise UsageError(f"can't read {path}: {reason.lower()}") from error


def _entries(path: str, file: TextIO) -> Iterator[tuple[int, str, bool]]:
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            index, name, outcome = entry["index"], entry["name"], entry["outcome"]
        except (ValueError, KeyError, TypeError) as error:
            if not line.endswith("\n"):
                return  # the last line of a run that was killed
            raise UsageError(
                f"{path}:{number}: not a line of a --responses file", hint="give the file of an earlier run"
            ) from error
        if not isinstance(index, int) or not isinstance(name, str) or outcome not in ("succeeded", "failed"):
            raise UsageError(f"{path}:{number}: not a line of a --responses file")
        yield index, name, outcome == "failed"
