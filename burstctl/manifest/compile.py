"""From a request's checked keys to an entry that makes its requests. Reads data files, sends nothing."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from uuid import UUID

from burstctl.expect import DEFAULT_EXPECT, Expect
from burstctl.interpolate import MissingFieldError, Template
from burstctl.manifest.address import BaseUrl, compile_target
from burstctl.manifest.body import compile_json_text, compile_json_value
from burstctl.manifest.data import Row, Rows, open_rows
from burstctl.manifest.entry import Entry
from burstctl.manifest.header import compile_headers, merge
from burstctl.manifest.problem import UnfitRowError
from burstctl.manifest.schema import ExpectKeys, RequestKeys, Target, Timeout
from burstctl.plan import Timeouts

MakeUuid = Callable[[int], str]

_CHECKED_ROWS = 1000
_MOST_NAMED = 5


def uuid_maker(seed: int) -> MakeUuid:
    """Make the function from a request's index to its UUID: the same in every pass, and with the same seed."""
    key = f"{seed}/".encode()
    return lambda index: str(UUID(bytes=blake2b(b"%s%d" % (key, index), digest_size=16).digest(), version=4))


def compile_entry(keys: RequestKeys, target: Target, make_uuid: MakeUuid) -> Entry:
    """Compile one entry of `requests`; a `RejectedError` is about its `data`."""
    body = _compile_body(keys, make_uuid)
    return Entry(
        name=keys.name,
        method=keys.method or ("GET" if body is None else "POST"),
        target=compile_target(target.base_url.path, keys.path, target.query | keys.query, make_uuid),
        headers=compile_headers(
            merge(_authorization(target.base_url), target.headers, keys.headers), make_uuid, json=keys.has_json
        ),
        body=body or b"",
        expect=_compile_expect(keys.expect, make_uuid),
        timeouts=None if keys.timeout == Timeout() else resolve_timeouts(keys.timeout, target_timeouts(target)),
        safe=keys.safe,
        count=keys.count,
        rows=None if keys.data is None else open_rows(keys.data),
    )


def _authorization(base_url: BaseUrl) -> dict[str, Template]:
    """Turn user info into the header that carries it."""
    if base_url.user_info is None:
        return {}
    credential = b64encode(":".join(base_url.user_info).encode()).decode()
    return {"authorization": Template((f"Basic {credential}",))}


def target_timeouts(target: Target) -> Timeouts:
    return resolve_timeouts(target.timeout, Timeouts())


def resolve_timeouts(keys: Timeout, base: Timeouts) -> Timeouts:
    """Lay what is given over `base`; nothing may take longer than the whole."""
    total_s = keys.total or base.total_s
    return Timeouts(
        connect_s=min(keys.connect or base.connect_s, total_s),
        first_byte_s=min(keys.first_byte or base.first_byte_s, total_s),
        idle_s=min(keys.idle or base.idle_s, total_s),
        total_s=total_s,
    )


def find_broken_rows(entry: Entry, rows: Rows) -> Iterator[str]:
    """Name the broken ones among the first rows; those behind them break their own requests only."""
    broken = 0
    for row in islice(rows, _CHECKED_ROWS):
        if reason := _try_row(entry, row):
            broken += 1
            if broken <= _MOST_NAMED:
                yield f"{rows.path}:{row.line}{reason}"
    if broken > _MOST_NAMED:
        yield f"{rows.path}: {broken - _MOST_NAMED} more broken rows among the first {_CHECKED_ROWS:,}"


def _try_row(entry: Entry, row: Row) -> str:
    if row.error:
        return f" {row.error}"
    try:
        entry.build(row.value, 0, "", 0)
    except MissingFieldError as error:
        return f": {error.args[0]}"
    except UnfitRowError:
        pass  # the row is whole: its request fails in the run, as any other bad answer would
    except ValueError:
        return ": holds text that is not valid Unicode"
    return ""


def _compile_body(keys: RequestKeys, make_uuid: MakeUuid) -> bytes | Callable[[object, int], bytes] | None:
    if keys.has_json:
        return compile_json_text(keys.json_, make_uuid)
    if keys.body_file is not None:
        return Path(keys.body_file).read_bytes()
    if keys.body is None:
        return None
    if keys.body.constant is not None:
        return keys.body.constant.encode()
    fill = keys.body.text_reader(make_uuid)
    return lambda row, index: fill(row, index).encode()


def _compile_expect(keys: ExpectKeys, make_uuid: MakeUuid) -> Expect | Callable[[object, int], Expect]:
    if keys == ExpectKeys():
        return DEFAULT_EXPECT
    has_json = "json_" in keys.model_fields_set
    json, fill_json = compile_json_value(keys.json_, make_uuid)
    headers = [(name.lower(), value.constant, value.text_reader(make_uuid)) for name, value in keys.headers.items()]

    def expect(row: object, index: int) -> Expect:
        return Expect(
            keys.status,
            json if fill_json is None else fill_json(row, index),
            has_json,
            tuple(
                [
                    (name, (fill(row, index) if constant is None else constant).strip())
                    for name, constant, fill in headers
                ]
            ),
            keys.max_latency,
        )

    if fill_json is None and all(constant is not None for _, constant, _ in headers):
        return expect(None, 0)
    return expect
