"""Option values made of parts (`NAME=VALUE`, `FORMAT=PATH`, `URL=60s`), and lists of values in the environment."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import click

from burstctl.cli.outputs import Wanted
from burstctl.cli.types import T, read
from burstctl.threshold import Threshold, parse_threshold
from burstctl.units import parse_duration

_READY_S = 60.0
_WITH_UNIT = re.compile(r"\d+(\.\d+)?(ms|s|m|min|h)")


class Parsed(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """A value read by a function; repeated ones stand one per line in the environment, so they may hold blanks."""

    def __init__(self, name: str, parse: Callable[[object], T], *, shown: bool = True) -> None:
        self.name = name
        self._parse = parse
        self._shown = shown
        """Whether an error may repeat the value."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        return read(self, self._parse, value, param, ctx, shown=self._shown) if isinstance(value, str) else value

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
    if not equals or not (name.isidentifier() and name.isascii()):
        raise ValueError("expected NAME=VALUE, with a name of letters, digits and underscores")
    return name, text


def parse_report(value: object) -> Wanted:
    """Read FORMAT=PATH."""
    from burstctl.report.registry import names, streaming_names

    name, equals, path = str(value).partition("=")
    if not equals or not path:
        raise ValueError("expected FORMAT=PATH, such as json=burst.json or json=-")
    streamed = name in streaming_names()
    if not streamed and name not in names():
        known = sorted([*names(), *streaming_names()])
        raise ValueError(f"unknown format {name}: expected one of {', '.join(known)}")
    return Wanted(name, path, streamed=streamed)


def parse_rendered(value: object) -> Wanted:
    """Read FORMAT=PATH, of the formats that can be made of a saved result."""
    wanted = parse_report(value)
    if wanted.streamed:
        raise ValueError(f"{wanted.format} is written while a run goes on and can't be made of its result")
    return wanted


def parse_comparison(value: object) -> Wanted:
    """Read FORMAT=PATH, of the formats of a comparison."""
    from burstctl.report.registry import comparing_names

    name, equals, path = str(value).partition("=")
    if not equals or not path:
        raise ValueError("expected FORMAT=PATH, such as markdown=comparison.md or json=-")
    if name not in comparing_names():
        raise ValueError(f"unknown format {name}: expected one of {', '.join(comparing_names())}")
    return Wanted(name, path)


def parse_allowed(value: object) -> object:
    """Read METRIC=SHARE."""
    from burstctl.result.allowance import parse_allowance

    return parse_allowance(str(value))


def parse_ready(value: object) -> tuple[str, float]:
    """Read URL=DURATION, or a URL alone; an equals sign in a query is the URL's own."""
    url, within_s = str(value), _READY_S
    head, equals, tail = url.rpartition("=")
    if (equals and "?" not in head) or (equals and _WITH_UNIT.fullmatch(tail)):
        url, within_s = head, parse_duration(tail)
    expected = "expected URL=DURATION, such as http://host/healthz=60s"
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid or not url.isascii() or not url.isprintable():
        raise ValueError(expected)
    if "@" in parts.netloc:
        raise ValueError(f"{expected}; without a password, which would be of no use: it is asked without credentials")
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
