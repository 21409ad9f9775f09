"""One entry of `requests`, compiled: from a data row and an index to a request ready to be sent. Opens no data file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat

from burstctl.attempt import Failure
from burstctl.expect import Expect
from burstctl.interpolate import MissingFieldError
from burstctl.manifest.data import Row, Rows
from burstctl.manifest.header import HeaderTemplate
from burstctl.manifest.problem import RejectedError, UnfitRowError
from burstctl.plan import Request, Timeouts

_GONE = "is gone: the file changed during the run"


@dataclass(frozen=True, slots=True)
class Entry:
    """What all requests of one name have in common; a callable is filled for each of them."""

    name: str
    method: str
    target: str | Callable[[object, int], str]
    headers: HeaderTemplate
    body: bytes | Callable[[object, int], bytes]
    expect: Expect | Callable[[object, int], Expect]
    timeouts: Timeouts | None
    safe: bool
    count: int
    """How many; with rows: how many for each."""
    rows: Rows | None

    @property
    def planned(self) -> int:
        return self.count * (1 if self.rows is None else self.rows.count)

    def requests(self, start: int, run_id: str) -> Iterator[Request]:
        """Make this entry's requests, numbered from `start`."""
        if self.rows is not None:
            yield from self._from_rows(self.rows, start, run_id)
            return
        target, headers, body, expect = self.target, self.headers, self.body, self.expect
        if callable(target) or callable(body) or callable(expect) or not headers.is_static:
            for index in range(start, start + self.count):
                yield self.build(None, index, run_id, None)
            return
        # Nothing changes but the identity: this loop makes a million requests in about two seconds.
        name, method, timeouts, safe = self.name, self.method, self.timeouts, self.safe
        for index in range(start, start + self.count):
            identified = headers.fill(None, index, f"{run_id}-{index}")
            yield Request(index, name, method, target, identified, body, expect, timeouts, safe)

    def build(self, row: object, index: int, run_id: str, row_index: int | None) -> Request:
        """Make one request; raises `MissingFieldError` and `UnfitRowError`."""
        target, body, expect = self.target, self.body, self.expect
        return Request(
            index,
            self.name,
            self.method,
            target(row, index) if callable(target) else target,
            self.headers.fill(row, index, f"{run_id}-{index}"),
            body(row, index) if callable(body) else body,
            expect(row, index) if callable(expect) else expect,
            self.timeouts,
            self.safe,
            row_index,
        )

    def _from_rows(self, rows: Rows, start: int, run_id: str) -> Iterator[Request]:
        # The file may have changed since its rows were counted; the plan has not.
        counted = islice(chain(_as_far_as_it_goes(rows), repeat(Row(0, {}, _GONE))), rows.count)
        index = start
        for row_index, row in enumerate(counted):
            for _ in range(self.count):
                yield self._from_row(rows, row, index, run_id, row_index)
                index += 1

    def _from_row(self, rows: Rows, row: Row, index: int, run_id: str, row_index: int) -> Request:
        place = f"{rows.path}:{row.line}"
        if row.error:
            failure = Failure("broken data row", f"{place} {row.error}")
        else:
            try:
                return self.build(row.value, index, run_id, row_index)
            except MissingFieldError as error:
                failure = Failure("broken data row", f"{place}: {error.args[0]}")
            except UnfitRowError as error:
                failure = Failure(str(error), f"{place}: {error.example}")
            except ValueError:  # half of a surrogate pair, which JSON can escape and nothing can encode
                failure = Failure("broken data row", f"{place}: holds text that is not valid Unicode")
        return Request(index, self.name, self.method, "/", row=row_index, broken=failure)


def _as_far_as_it_goes(rows: Rows) -> Iterator[Row]:
    """Give the rows up to where the file, sound when it was counted, no longer is."""
    try:
        yield from rows
    except (RejectedError, OSError):
        return
