"""Option values made of parts (`NAME=VALUE`, `FORMAT=PATH`, `URL=60s`), and lists of values in the environment."""

from collections.abc import Callable
from urllib.parse import urlsplit

import click

from burstctl.cli.outputs import Wanted
from burstctl.cli.types import T, read
from burstctl.threshold import Threshold, parse_threshold
from burstctl.units import parse_duration

_READY_S = 60.0


class Parsed(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """A value read by a function; repeated ones stand one per line in the environment, so they may hold blanks."""

    def __init__(self, name: str, parse: Callable[[object], T]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        return read(self, self._parse, value, param, ctx) if isinstance(value, str) else value

    def split_envvar_value(self, rv: str) -> list[str]:
        return [line.strip() for line in rv.splitlines() if line.strip()]


def parse_text(value: object) -> str:
    """Take any text but an empty one."""
    if not str(value).strip():
        raise ValueError("expected a text")
    return str(value)


def parse_variable(value: object) -> tuple[str, str]:
    """Read NAME=VALUE."""
    name, equals, text = str(value).partition("=")
    if not equals or not name.isidentifier():
        raise ValueError("expected NAME=VALUE")
    return name, text


def parse_report(value: object) -> Wanted:
    """Read FORMAT=PATH."""
    from burstctl.report.registry import names

    name, equals, path = str(value).partition("=")
    if not equals or not path:
        raise ValueError("expected FORMAT=PATH, such as json=burst.json or json=-")
    if name not in names():
        raise ValueError(f"unknown format {name}: expected one of {', '.join(names())}")
    return Wanted(name, path)


def parse_ready(value: object) -> tuple[str, float]:
    """Read URL=DURATION, or a URL alone."""
    url, _, duration = str(value).rpartition("=")
    try:
        within_s = parse_duration(duration) if url else _READY_S
    except ValueError:
        within_s, url = _READY_S, ""  # the equals sign was the URL's own
    url = url or str(value)
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise ValueError("expected URL=DURATION, such as http://host/healthz=60s")
    return url, within_s


def parse_gate(value: object) -> str:
    """Check a threshold; it is read again with the manifest's, against the request names."""
    parse_threshold(str(value))
    return str(value)


def parse_abort(value: object) -> Threshold:
    """Read a threshold on what can be judged during a run."""
    from burstctl.control.abort import METRICS, supports

    threshold = parse_threshold(str(value))
    if threshold.scope is not None or not supports(threshold):
        raise ValueError(f"expected a condition on {', '.join(METRICS)} of the whole run, such as failed > 10%")
    return threshold
