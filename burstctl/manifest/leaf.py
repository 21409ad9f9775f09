"""How each scalar of a manifest is read: one function per kind, from what the file says to what the plan holds."""

import re
from collections.abc import Callable
from difflib import get_close_matches

from burstctl.attempt import NO_CONNECTION, Fault
from burstctl.document import resolve_plain
from burstctl.expect import Statuses
from burstctl.interpolate import Template
from burstctl.manifest.address import BaseUrl, check_path, check_redis_url, parse_base_url
from burstctl.manifest.header import check_value
from burstctl.manifest.problem import RejectedError
from burstctl.threshold import Threshold, parse_threshold
from burstctl.units import parse_duration, parse_rate, parse_size

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
CONTROLLERS = ("adaptive", "fixed")
MOST_REQUESTS = 1_000_000_000
MOST_IN_FLIGHT = 100_000
MOST_ATTEMPTS = 1000
MOST_WORKERS = 64
MOST_JOBS = 10_000
SPLITS = ("none", "requests")
ON_SHARE_LOSS = ("split", "stop")

RETRY_FAULTS = {
    "connect": NO_CONNECTION | {Fault.RESET},
    **{
        fault.value: frozenset({fault})
        for fault in Fault
        if fault not in (Fault.CONNECT, Fault.REQUEST, Fault.CANCELLED)
    },
}
"""Words of `retry.on`; `connect` stands for whatever ends a connection or keeps one from being made."""

_PER_SECOND = re.compile(
    r"\s*([\d.]+)\s*(?:rps|qps|req(?:uests)?/s(?:ec)?|r/s|q/s|/second|hz|per second|ps)\s*", re.IGNORECASE
)
_STATUS = re.compile(r"[1-5](?:\d\d|xx)")


def settle(value: object) -> object:
    """Give an interpolated scalar as if it stood in the file; refuses what only a request can fill."""
    if not isinstance(value, Template):
        return value
    if value.constant is None:
        raise RejectedError(
            f"${{{value.placeholders[0].name}}} can't stand here",
            "per-request placeholders go into path, query, headers, json, body and expect",
        )
    return resolve_plain(value.constant)


def text_of(value: object) -> str | None:
    """Give a text with what the environment put into it; None where it is none, or a request fills it."""
    text = value.constant if isinstance(value, Template) else value
    return text if isinstance(text, str) else None


def read_text(value: object) -> str:
    text = settle(value)
    if isinstance(value, Template):
        return value.constant or ""
    if not isinstance(text, str):
        raise RejectedError("expected text", "quote it" if isinstance(text, int | float) else None)
    return text


def read_template(value: object) -> Template:
    """Read text that requests may fill."""
    if isinstance(value, Template):
        return value
    return Template((text,)) if (text := read_text(value)) else Template(())


def read_name(value: object) -> str:
    name = read_text(value).strip()
    if not name or len(name) > 100 or not name.isprintable():
        raise RejectedError("expected a name of 1 to 100 printable characters")
    return name


def read_header(value: object) -> Template:
    return check_value(read_parameter(value))


def read_parameter(value: object) -> Template:
    """Read a header's or query's value: text, a whole number, true or false."""
    if isinstance(value, bool):
        return Template(("true" if value else "false",))
    return read_template(str(value) if isinstance(value, int) else value)


def read_version(value: object) -> int:
    version = settle(value)
    if isinstance(version, bool) or version != 1:
        raise RejectedError("expected version 1", "this burstctl reads manifests of version 1")
    return 1


def read_flag(value: object) -> bool:
    flag = settle(value)
    if not isinstance(flag, bool):
        raise RejectedError("expected true or false")
    return flag


def whole_number(least: int, most: int) -> Callable[[object], int]:
    """Make the reader of a whole number within bounds."""

    def read(value: object) -> int:
        number = settle(value)
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            quoted = isinstance(number, str) and number.isdecimal()
            raise RejectedError(
                f"expected a whole number from {least:,} to {most:,}", "remove the quotes" if quoted else None
            )
        return number

    return read


def read_rate(value: object) -> float:
    rate = settle(value)
    try:
        return parse_rate(rate)
    except ValueError as error:
        match = _PER_SECOND.fullmatch(rate) if isinstance(rate, str) else None
        raise RejectedError(
            str(error), f"did you mean {match[1]}/s?" if match else "such as 300/s or 18000/min"
        ) from None


def read_duration(value: object) -> float:
    return parse_duration(settle(value))


def read_size(value: object) -> int:
    return parse_size(settle(value))


def read_jobs(value: object) -> int | None:
    """Read how many parallel jobs there are; None for `auto`."""
    if isinstance(text := settle(value), str) and text.lower() == "auto":
        return None
    try:
        return whole_number(1, MOST_JOBS)(value)
    except RejectedError as error:
        raise RejectedError(f"{error}, or auto", error.hint) from error


def choice(options: tuple[str, ...], *, fold: Callable[[str], str] = str.lower) -> Callable[[object], str]:
    """Make the reader of one word out of a few."""

    def read(value: object) -> str:
        found = settle(value)
        if not isinstance(found, str) or fold(found) not in options:
            close = get_close_matches(fold(str(found)), options, n=1)
            raise RejectedError(
                f"expected {', '.join(options[:-1])} or {options[-1]}", f"did you mean {close[0]}?" if close else None
            )
        return fold(found)

    return read


def read_http(value: object) -> str:
    version = str(settle(value))
    if version not in ("1.1", "2", "2.0"):
        raise RejectedError("expected 1.1 or 2")
    return version.removesuffix(".0")


def read_base_url(value: object) -> BaseUrl:
    return parse_base_url(read_text(value))


def read_proxy(value: object) -> str:
    """Read a proxy's URL, user info and all."""
    text = read_text(value)
    try:
        url = parse_base_url(text)
    except RejectedError as error:
        raise RejectedError(f"{error}, the proxy's", error.hint) from None
    if url.path:
        raise RejectedError("expected a proxy URL without a path")
    return text


def read_share(value: object) -> str | None:
    """Read how jobs share a limit; a password must come from the environment, where no repository keeps it."""
    text = read_text(value).strip()
    if text.lower() in ("", "none"):
        return None
    if text.lower() == "host":
        return "host"
    check_redis_url(
        text,
        password_ok=isinstance(value, Template),
        expected="expected host, or a URL: redis://, rediss:// or unix://",
    )
    return text


def read_path(value: object) -> Template:
    path = read_template(value)
    check_path(path)
    return path


def read_threshold(value: object) -> Threshold:
    """Read `metric < limit`, or a mapping of one request name to it."""
    if isinstance(value, dict) and len(value) == 1:
        [(scope, expression)] = value.items()
        return parse_threshold(read_text(expression), scope)
    return parse_threshold(read_text(value))


def read_statuses(value: object) -> Statuses:
    """Read a status, a class of them, or a list."""
    items = value if isinstance(value, list) else [value]
    texts = [str(settle(item)).lower() for item in items]
    if not texts or not all(_STATUS.fullmatch(text) for text in texts):
        raise RejectedError("expected a status such as 200, a class such as 2xx, or a list of them")
    return Statuses(", ".join(texts), frozenset(code for text in texts for code in status_codes(text)))


def status_codes(text: str) -> range:
    """Give the codes that `404` or `5xx` stands for."""
    return (
        range(int(text[0]) * 100, int(text[0]) * 100 + 100) if text.endswith("xx") else range(int(text), int(text) + 1)
    )


def read_retry_word(value: object) -> str:
    """Read one word of `retry.on`."""
    word = str(settle(value)).lower()
    if not _STATUS.fullmatch(word) and word not in RETRY_FAULTS:
        close = get_close_matches(word, [*RETRY_FAULTS, "5xx"], n=1)
        known = ", ".join(RETRY_FAULTS)
        raise RejectedError(
            "expected a status such as 503, a class such as 5xx, or a fault",
            f"did you mean {close[0]}?" if close else f"faults: {known}",
        )
    return word
