"""Header names and values: which are allowed, how a request's go over its target's. Knows no credentials."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from burstctl import __version__
from burstctl.interpolate import Template
from burstctl.manifest.problem import RejectedError, UnfitRowError
from burstctl.secret import MASK, is_secret_name
from burstctl.source import mask_line

Headers = tuple[tuple[str, str], ...]

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_OWNED = {
    "content-length": "it follows from the body",
    "transfer-encoding": "bodies are sent whole, with their length",
    "connection": "connections are burstctl's to keep and close",
    "keep-alive": "connections are burstctl's to keep and close",
    "proxy-connection": "connections are burstctl's to keep and close",
    "upgrade": "connections are burstctl's to keep and close",
    "te": "it belongs to the connection",
    "trailer": "bodies are sent whole, without trailers",
    "expect": "the body is sent at once",
}
_DEFAULTS = {"user-agent": f"burstctl/{__version__}", "accept": "*/*"}


def check_name(name: str) -> str:
    """Refuse a name that HTTP does not allow, or that burstctl must set itself."""
    if not _NAME.fullmatch(name):
        raise RejectedError(f"expected a header name, found {mask_line([name], 1)!r}", "letters, digits and - only")
    if reason := _OWNED.get(name.lower()):
        raise RejectedError(f"{name} can't be set", reason)
    return name


def check_value(value: Template) -> Template:
    """Refuse a line break or another control character; gives the value without blanks around it."""
    if any(_CONTROL.search(part) for part in value.parts if isinstance(part, str)):
        raise RejectedError("a header can't hold a line break or another control character", "look for a trailing \\n")
    return value


def merge(*layers: Mapping[str, Template]) -> dict[str, Template]:
    """Lay headers over each other, names compared without case; the last one wins, as it is written."""
    merged: dict[str, tuple[str, Template]] = {}
    for layer in layers:
        merged.update({name.lower(): (name, value) for name, value in layer.items()})
    return dict(merged.values())


@dataclass(frozen=True, slots=True)
class HeaderTemplate:
    """A request's headers: those that never change, and what is filled each time."""

    static: Headers
    dynamic: Sequence[tuple[str, Callable[[object, int], str]]]
    identified: tuple[str, ...]
    """Names that get the request's own identity."""

    @property
    def is_static(self) -> bool:
        return not self.dynamic

    def fill(self, row: object, index: int, identity: str) -> Headers:
        """Give a request's headers; `UnfitRowError` where a value can't stand in one."""
        headers = self.static
        for name, read in self.dynamic:
            value = read(row, index)
            if _CONTROL.search(value):
                shown = MASK if is_secret_name(name) else repr(value)
                raise UnfitRowError(f"a row puts a control character into the header {name}", shown)
            headers += ((name, value.strip()),)
        return headers + tuple([(name, identity) for name in self.identified])


def compile_headers(headers: Mapping[str, Template], make_uuid: Callable[[int], str], *, json: bool) -> HeaderTemplate:
    """Add what burstctl sends by itself, and divide by what changes from request to request."""
    names = {name.lower() for name in headers}
    defaults = _DEFAULTS | ({"content-type": "application/json"} if json else {})
    static = [(name, value) for name, value in defaults.items() if name not in names]
    dynamic = []
    for name, template in headers.items():
        constant = template.constant
        if constant is None:
            dynamic.append((name, template.text_reader(make_uuid)))
        else:
            static.append((name, constant.strip()))
    identified = tuple(name for name in ("x-request-id", "idempotency-key") if name not in names)
    return HeaderTemplate(tuple(static), tuple(dynamic), identified)
