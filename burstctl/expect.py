"""What a good answer is, and how a given answer differs from it. Knows nothing of retries or verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass

from burstctl.attempt import Answer, Failure

_KEPT = 2048
"""Bytes or characters of an example: far more than is shown, so that a secret is whole when it gets masked."""


@dataclass(frozen=True, slots=True)
class Statuses:
    """A set of status codes with the text that names it (`2xx`, `200`, `200, 404`)."""

    text: str
    codes: frozenset[int]

    def __contains__(self, status: object) -> bool:
        return status in self.codes


SUCCESS = Statuses("2xx", frozenset(range(200, 300)))


@dataclass(frozen=True, slots=True)
class Expect:
    """The conditions that an answer must meet; the defaults are those of a manifest without `expect`."""

    status: Statuses = SUCCESS
    json: object = None
    """What the body must contain: mappings by key, everything else by equality; read only where `has_json`."""
    has_json: bool = False
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case; the value must be equal, surrounding blanks apart."""
    max_latency_s: float | None = None

    @property
    def reads_body(self) -> bool:
        return self.has_json


DEFAULT_EXPECT = Expect()
"""What a manifest without `expect` asks for."""


def find_mismatch(expect: Expect, answer: Answer, latency_s: float) -> Failure | None:
    """Say how a whole answer differs from what was expected; None if it doesn't."""
    if answer.status not in expect.status:
        return Failure(f"status {answer.status}", excerpt(answer.body))
    for name, value in expect.headers:
        mismatch = match_header(name, value, answer)
        if mismatch:
            return mismatch
    if expect.has_json:
        mismatch = match_body(expect.json, answer.body)
        if mismatch:
            return mismatch
    if expect.max_latency_s is not None and latency_s > expect.max_latency_s:
        return Failure(f"slower than max_latency {expect.max_latency_s * 1000:g} ms", f"{latency_s * 1000:.0f} ms")
    return None


def match_header(name: str, value: str, answer: Answer) -> Failure | None:
    """Say how an answer's header differs from what was expected."""
    found = [received.strip() for key, received in answer.headers if key == name]
    if value in found:
        return None
    seen = _show(found[0]) if found else "nothing"
    return Failure(f"header {name} is not as expected", f"expected {_show(value)}, found {seen}")


def excerpt(body: bytes) -> str:
    """Give the start of a body as one line of text; what is not printable is escaped."""
    text = body[: 2 * _KEPT].decode("utf-8", "backslashreplace")
    words = "".join(c if c.isprintable() else " " if c.isspace() else ascii(c)[1:-1] for c in text).split()
    if len(body) >= 2 * _KEPT and sum(map(len, words)) < _KEPT:
        words[-1:] = ["…"]  # near enough to be shown, and maybe half a secret, which would not be recognised
    line = " ".join(words)
    return line if len(line) <= _KEPT else line[:_KEPT] + "…"


def match_body(expected: object, body: bytes) -> Failure | None:
    """Say where a JSON body first differs from what it must contain."""
    from pydantic_core import from_json  # only where a body is checked

    try:
        document = from_json(body, allow_inf_nan=False)
    except ValueError:
        return Failure("the body is not valid JSON", excerpt(body) or "it is empty")
    difference = find_difference(expected, document)
    if difference is None:
        return None
    path, wanted, found = difference
    return Failure(f"json {path} is not as expected", f"expected {wanted}, found {found}")


def find_difference(expected: object, found: object, path: str = "$") -> tuple[str, str, str] | None:
    """Find the first difference: its path, what was expected, what was found."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            inner = f"{path}.{key}"
            difference = find_difference(value, found[key], inner) if key in found else (inner, _show(value), "nothing")
            if difference:
                return difference
        return None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for position, (value, other) in enumerate(zip(expected, found, strict=True)):
            difference = find_difference(value, other, f"{path}[{position}]")
            if difference:
                return difference
        return None
    # True == 1 in Python, but not in JSON.
    if isinstance(expected, bool) is isinstance(found, bool) and expected == found:
        return None
    return path, _show(expected), _show(found)


def _show(value: object) -> str:
    from json import dumps

    text = dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _KEPT else text[:_KEPT] + "…"
