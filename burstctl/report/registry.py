"""Finds report formats by name: each module of this folder but this one is a format. Imports none until it is asked.

Those in `streaming/` are written as the run goes, a line for each attempt, and can't be made of a result; those in
`comparing/` show two results held against each other.
"""

import pkgutil
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Protocol, cast

from burstctl import report
from burstctl.attempt import Attempt, Failure
from burstctl.comparison import Comparison
from burstctl.errors import UsageError
from burstctl.gate import Verdict
from burstctl.plan import Request
from burstctl.report import comparing, streaming
from burstctl.secret import Redactor
from burstctl.summary import Summary


class Format(Protocol):
    """What a format's module offers."""

    NAME: str

    def render(self, summary: Summary, verdict: Verdict) -> str:
        """Write the whole report, to its last newline."""
        ...


class Writer(Protocol):
    """Writes the attempts of one run."""

    def line(self, request: Request, attempt: Attempt, failure: Failure | None, due_s: float) -> str:
        """Write one, without its newline; `failure` says why it did not succeed."""
        ...


class Streaming(Protocol):
    """What a streaming format's module offers."""

    NAME: str
    Writer: Callable[[float, Redactor], Writer]
    """Made of the run's start, in seconds of its clock, and of what masks its secrets."""


class Comparing(Protocol):
    """What the module of a comparison's format offers."""

    NAME: str

    def render(self, comparison: Comparison) -> str:
        """Write the whole comparison, to its last newline."""
        ...


def names() -> list[str]:
    """List the formats of a finished run; what formats share lies in packages, which are none."""
    return [name for name in _modules(report) if name != "registry"]


def streaming_names() -> list[str]:
    """List the formats that are written as the run goes."""
    return _modules(streaming)


def comparing_names() -> list[str]:
    """List the formats of a comparison."""
    return _modules(comparing)


def load(name: str) -> Format:
    """Import a format; `UsageError` if there is none of this name."""
    if name in streaming_names():
        raise UsageError(
            f"{name} is written while a run goes on and can't be made of its result",
            hint=f"give --report {name}=PATH to burstctl run",
        )
    known = names()
    if name not in known:
        close = get_close_matches(name.lower(), known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the formats are {', '.join(known)}"
        raise UsageError(f"unknown report format {name}", hint=hint)
    return cast("Format", _import(report, name))


def load_streaming(name: str) -> Streaming:
    """Import a format that is written as the run goes."""
    return cast("Streaming", _import(streaming, name))


def load_comparing(name: str) -> Comparing:
    """Import a format of a comparison."""
    return cast("Comparing", _import(comparing, name))


def _modules(folder: ModuleType) -> list[str]:
    modules = (module.name for module in pkgutil.iter_modules(folder.__path__) if not module.ispkg)
    return sorted(name.replace("_", "-") for name in modules)


def _import(folder: ModuleType, name: str) -> ModuleType:
    return import_module(f"{folder.__name__}.{name.replace('-', '_')}")
