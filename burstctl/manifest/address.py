"""From `base_url`, `path` and `query` to what goes on the wire. Lets no row leave its path segment."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from burstctl.interpolate import Reader, Template, as_text
from burstctl.manifest.problem import RejectedError, UnfitRowError

Fill = Callable[[object, int], str]
"""From data row and request index to a text; raises `MissingFieldError` and `UnfitRowError`."""

CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DOT_SEGMENT = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_ABSOLUTE = re.compile(r"//|[A-Za-z][\w+.-]*://")
_HOST = re.compile(r"[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\]")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
# Everything that RFC 3986 allows in path and query, and % for what is encoded already.
_AS_WRITTEN = "/?:@!$&'()*+,;=-._~%"


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """A checked `base_url`, taken apart."""

    origin: str
    path: str
    """Empty, or starting with a slash and ending without one."""
    user_info: tuple[str, str] | None = None
    """User and password, decoded."""

    @property
    def url(self) -> str:
        return self.origin + self.path


def parse_base_url(text: str) -> BaseUrl:
    """Read an absolute http or https URL; a `RejectedError` says what was expected and never shows user info."""
    expected = "expected an absolute http:// or https:// URL"
    if CONTROL.search(text) or " " in text:
        raise RejectedError(f"{expected}, without blanks and control characters")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise RejectedError(f"{expected} with a host and a port from 1 to 65535") from None
    if parts.scheme not in ("http", "https") or "://" not in text:
        hint = f"did you mean http://{text}?" if re.fullmatch(r"[\w.-]+(:\d+)?(/\S*)?", text) else None
        raise RejectedError(expected, hint)
    if not host or port == 0:
        raise RejectedError(f"{expected} with {'a port from 1 to 65535' if host else 'a host'}")
    if parts.query or parts.fragment or text.endswith(("?", "#")):
        raise RejectedError(f"{expected} without query and fragment", "put query parameters under target.query")
    try:
        host = f"[{host}]" if ":" in host else host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        host = ""
    if not _HOST.fullmatch(host):
        raise RejectedError(f"{expected} with a valid host name")
    if _DOT_SEGMENT.search(parts.path):
        raise RejectedError("expected a path without . and .. segments")
    user_info = (unquote(parts.username or ""), unquote(parts.password or "")) if "@" in parts.netloc else None
    origin = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
    return BaseUrl(origin, _encode(parts.path).rstrip("/"), user_info)


def check_redis_url(
    text: str, *, password_ok: bool, expected: str = "expected a URL: redis://, rediss:// or unix://"
) -> None:
    """Refuse what is no Redis URL, or one that gives a password away; never shows user info."""
    try:
        parts = urlsplit(text)
        place = parts.path if parts.scheme == "unix" else parts.hostname
        sound = parts.scheme in ("redis", "rediss", "unix") and bool(place) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or CONTROL.search(text) or " " in text:
        raise RejectedError(expected, "such as redis://redis.internal:6379/0")
    if re.search(r"(^|&)(password|username)=", parts.query):
        raise RejectedError("expected user and password before the host", "redis://:${REDIS_PASSWORD}@host:6379")
    if parts.password and not password_ok:
        raise RejectedError(
            "a password can't stand here", "take it from the environment: redis://:${REDIS_PASSWORD}@host:6379"
        )


def check_path(path: Template) -> None:
    """Refuse a request path that would leave the origin, or that no request line can carry."""
    written = "".join(part if isinstance(part, str) else "x" for part in path.parts)
    first = path.parts[0] if path.parts else ""
    if _ABSOLUTE.match(written):
        raise RejectedError("expected a path such as /predict", "every request goes to base_url's origin")
    if not isinstance(first, str) or not first.startswith("/"):
        raise RejectedError("expected a path that starts with /")
    if CONTROL.search(written):
        raise RejectedError("expected a path without control characters")
    if "#" in written:
        raise RejectedError("expected a path without a fragment (#)", "write a literal # as %23")
    if _DOT_SEGMENT.search(written.partition("?")[0]):
        raise RejectedError("expected a path without . and .. segments")


def compile_target(
    base: str, path: Template, query: Mapping[str, Template], make_uuid: Callable[[int], str]
) -> str | Fill:
    """Give the request target, or how to fill it: base + path with its own query first, then `query`."""

    def encode_path(read: Reader) -> Fill:
        def fill(row: object, index: int) -> str:
            text = as_text(read(row, index))
            if CONTROL.search(text):
                raise UnfitRowError("a row puts a control character into the path", repr(text))
            return quote(text, safe="")

        return fill

    def encode_query(read: Reader) -> Fill:
        return lambda row, index: quote(as_text(read(row, index)), safe="")

    before: list[str | Fill] = [base]
    after: list[str | Fill] = []
    for part in path.parts:
        if after:
            after.append(_encode(part) if isinstance(part, str) else encode_query(part.reader(make_uuid)))
        elif isinstance(part, str):
            written, mark, rest = part.partition("?")
            before.append(_encode(written))
            after += [mark + _encode(rest)] if mark else []
        else:
            before.append(encode_path(part.reader(make_uuid)))
    for name, value in query.items():
        after.append(f"{'&' if after else '?'}{quote(name, safe='')}=")
        after += [quote(p, safe="") if isinstance(p, str) else encode_query(p.reader(make_uuid)) for p in value.parts]
    pieces = before + after
    static = [piece for piece in pieces if isinstance(piece, str)]
    if len(static) == len(pieces):
        return "".join(static)
    fill_path, fill_query = _joiner(before), _joiner(after)

    def fill(row: object, index: int) -> str:
        filled = fill_path(row, index)
        if _DOT_SEGMENT.search(filled) or filled.startswith("//"):
            raise UnfitRowError("a row's value would leave the path it stands in", filled)
        return filled + fill_query(row, index)

    return fill


def _joiner(pieces: Sequence[str | Fill]) -> Fill:
    return lambda row, index: "".join([p if isinstance(p, str) else p(row, index) for p in pieces])


def _encode(text: str) -> str:
    return _STRAY_PERCENT.sub("%25", quote(text, safe=_AS_WRITTEN))
