"""One JSON line for every request's end, with its answer, written as the run goes. Knows no files."""

import json
import math
from collections.abc import Sequence

from burstctl.line_log import LineLog, open_log
from burstctl.outcome import Outcome
from burstctl.plan import Request
from burstctl.secret import Redactor, secret_values

_FLUSH_S = 1.0
_SHOWN = 200


class ResponseLog:
    """Appends lines to a file that only its owner can read; a failing disk ends the log, not the run."""

    def __init__(self, path: str, redactor: Redactor, *, joined: bool = False) -> None:
        """Open `path` anew, or join those who write to it already; `UsageError` if that can't be done."""
        self._redactor = redactor
        self._flushed_s = 0.0
        self._lines = LineLog(open_log(path, joined=joined))
        self.error: str | None = None
        """Why lines are missing."""

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
        self._lines.add(line)
        if outcome.done_s - self._flushed_s >= _FLUSH_S:
            self._flushed_s = outcome.done_s
            self._lines.flush()
        self.error = self._lines.error

    def close(self) -> None:
        self._lines.close()
        self.error = self.error or self._lines.error


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
