"""How the values of a probe's keys are read, where no other key is read like them. Nothing of it is sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burstctl.interpolate import Template
from burstctl.manifest import leaf
from burstctl.manifest.address import check_redis_url, parse_base_url
from burstctl.manifest.header import check_value
from burstctl.manifest.problem import RejectedError

FIGURES = ("min", "mean", "max", "last", "baseline", "recovery", "readings", "errors")
"""What a threshold may ask of a probe: no probe can have such a name."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SHORT_PERIODS_S = (1, 5, 10, 20, 30)
_LEAST_EVERY_S = 0.1
_LONGEST_PATTERN = 1000


@dataclass(frozen=True, slots=True)
class ProbeUrl:
    """A checked address, taken apart."""

    url: str
    """Without user info."""
    user_info: tuple[str, str] | None = None
    """User and password, decoded."""


def read_name(value: object) -> str:
    """Read a name as a threshold can write it: `probe.NAME.max`."""
    name = leaf.read_text(value)
    if not _NAME.fullmatch(name):
        raise RejectedError("expected a name of a-z, 0-9 and _ that starts with a letter", "such as queue")
    if name in FIGURES:
        raise RejectedError(f"{name} is a figure of every probe, not a name", "such as queue")
    return name


def read_every(value: object) -> float:
    """Read the time between two readings; probing is no load."""
    every_s = leaf.read_duration(value)
    if every_s < _LEAST_EVERY_S:
        raise RejectedError("expected 100ms or more between two readings")
    return every_s


def read_url(value: object) -> ProbeUrl:
    """Read an absolute http or https URL, user info and query included."""
    text = leaf.read_text(value)
    address, mark, query = text.partition("?")
    base = parse_base_url(address)
    if "#" in query or " " in query or not query.isprintable():
        raise RejectedError("expected an absolute http:// or https:// URL without blanks and fragment")
    path = base.path + "/" if address.endswith("/") or not base.path else base.path
    return ProbeUrl(base.origin + path + mark + query, base.user_info)


def read_redis_url(value: object) -> str:
    text = leaf.read_text(value).strip()
    check_redis_url(text, password_ok=isinstance(value, Template))
    return text


def read_header(value: object) -> str:
    """Read a header's value, which no request fills."""
    template = check_value(leaf.read_parameter(value))
    if template.constant is None:
        leaf.settle(template)  # refuses it, and says why
    return template.constant or ""


def read_word(value: object) -> str:
    """Read a label's or dimension's value: text, or a number as it is written."""
    settled = leaf.settle(value)
    if isinstance(settled, bool) or not isinstance(settled, str | int | float):
        raise RejectedError("expected text")
    return str(settled)


def read_pointer(value: object) -> str:
    """Read a JSON pointer (RFC 6901)."""
    pointer = leaf.read_text(value)
    if pointer and not pointer.startswith("/"):
        raise RejectedError("expected a JSON pointer that starts with /", f"did you mean /{pointer.replace('.', '/')}?")
    return pointer


def read_pattern(value: object) -> str:
    """Read a regular expression that finds a number."""
    pattern = leaf.read_text(value)
    if not pattern or len(pattern) > _LONGEST_PATTERN:
        raise RejectedError(f"expected a regular expression of 1 to {_LONGEST_PATTERN:,} characters")
    try:
        groups: Mapping[str, int] = re.compile(pattern).groupindex
    except (re.error, OverflowError, RecursionError) as error:
        raise RejectedError(f"expected a regular expression: {error}") from None
    if "value" not in groups:
        raise RejectedError("expected a group named value", r"such as Queue size = (?P<value>\d+)")
    return pattern


def read_arguments(value: object) -> list[str]:
    """Read a command: a list, which no shell sees."""
    if not isinstance(value, list) or not value:
        raise RejectedError("expected a list of arguments", "such as [redis-cli, llen, jobs]; no shell reads it")
    arguments = [read_word(item) for item in value]
    if not arguments[0] or any("\0" in argument for argument in arguments):
        raise RejectedError("expected a program and its arguments, without NUL characters")
    return arguments


def read_log_file(value: object, folder: str) -> str:
    """Read the name of a log, relative to the manifest's folder; it may come into being later."""
    name = leaf.read_text(value)
    if not name or "\0" in name:
        raise RejectedError("expected the path of a file")
    return str(Path(folder, name))


def read_period(value: object) -> float:
    """Read a CloudWatch period, in seconds."""
    period_s = leaf.read_duration(value)
    if period_s not in _SHORT_PERIODS_S and period_s % 60:
        shorts = ", ".join(f"{one}s" for one in _SHORT_PERIODS_S)
        raise RejectedError(f"expected {shorts} or whole minutes: CloudWatch knows no other periods")
    return period_s


def read_bound(value: object) -> float:
    """Read what a probe is kept under: a positive number."""
    bound = leaf.settle(value)
    if isinstance(bound, bool) or not isinstance(bound, int | float) or not 0 < bound < 1e15:
        raise RejectedError("expected a positive number", "such as 60: about as many requests may wait in the fleet")
    return float(bound)
