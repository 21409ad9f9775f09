"""One JSON line for every attempt as it ends, schema `burstctl.attempt/1`. Knows neither files nor what comes next.

`index` (the request's place in the plan, from 0), `id` (its `x-request-id`), `name`, `row` (of its data, from 0, or
null) and `attempt` (from 1) say what was sent; `due_s`, `sent_s` and `done_s` when, in seconds since the run's start.
`wait_ms` is from due to the first send, and null on later attempts; `latency_ms` from sent to the last byte, or to the
fault; `ttfb_ms` from sent to the first byte. Either `status` or `fault` is null, `cause` says why `succeeded` is false.
"""

from json.encoder import JSONEncoder

from burstctl.attempt import Attempt, Failure
from burstctl.plan import Request
from burstctl.report.words.inert import disarm_json
from burstctl.secret import Redactor, secret_values

NAME = "ndjson"
SCHEMA = "burstctl.attempt/1"

_SHOWN = 200
_write = JSONEncoder(allow_nan=False, separators=(",", ":")).encode
"""To ASCII: what a server wrote can do no harm to a terminal."""


class Writer:
    """Writes the lines of one run."""

    def __init__(self, start_s: float, redactor: Redactor) -> None:
        self._start_s = start_s
        self._redactor = redactor
        self._names: dict[str, str] = {}
        self._own: list[str] = []
        self._own_redactor = Redactor(())

    def line(self, request: Request, attempt: Attempt, failure: Failure | None, due_s: float) -> str:
        """Write an attempt; times in seconds of the run's clock."""
        start_s, sent_s, answer = self._start_s, attempt.sent_s, attempt.answer
        done_s, first_byte_s = answer.done_s, answer.first_byte_s
        line = _write(
            {
                "schema": SCHEMA,
                "index": attempt.index,
                "id": self._identity(request),
                "name": self._name(attempt.name),
                "row": request.row,
                "attempt": attempt.number,
                "due_s": round(due_s - start_s, 6),
                "sent_s": round(sent_s - start_s, 6),
                "done_s": round(done_s - start_s, 6),
                "wait_ms": round((sent_s - due_s) * 1000, 3) if attempt.number == 1 else None,
                "latency_ms": round((done_s - sent_s) * 1000, 3),
                "ttfb_ms": None if first_byte_s is None else round((first_byte_s - sent_s) * 1000, 3),
                "status": answer.status if answer.fault is None else None,
                "fault": answer.fault,
                "succeeded": failure is None,
                "cause": None if failure is None else self._mask(request, failure.cause)[:_SHOWN],
            }
        )
        return disarm_json(line)

    def _name(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self._redactor.redact(name)
        return self._names[name]

    def _identity(self, request: Request) -> str | None:
        for name, value in request.headers:
            if name.lower() == "x-request-id":
                return self._mask(request, value)
        return None

    def _mask(self, request: Request, text: str) -> str:
        """Mask the run's secrets and, where a data row may have brought some, the request's own."""
        if request.row is not None:
            own = secret_values(request.headers, request.target)
            if own != self._own:  # mostly they are all the same, and a redactor is dear
                self._own, self._own_redactor = own, Redactor(own)
            text = self._own_redactor.redact(text)
        return self._redactor.redact(text)
