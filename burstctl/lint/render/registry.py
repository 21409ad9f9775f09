"""Finds lint's output formats by name: each module of this folder but this one is one. Imports none until asked."""

from __future__ import annotations

from importlib import import_module

from burstctl.errors import UsageError
from burstctl.lint import render
from burstctl.lint.modules import modules_in
from burstctl.lint.result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Renderer(Protocol):
        """What a format's module offers."""

        NAME: str

        def render(self, result: Result) -> str:
            """Write all findings, to the last newline."""
            ...


def names() -> list[str]:
    """List the formats."""
    return modules_in(render)


def load(name: str) -> Renderer:
    """Import a format; `UsageError` if there is none of this name."""
    known = names()
    if name not in known:
        from difflib import get_close_matches

        close = get_close_matches(name.lower(), known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the formats are {', '.join(known)}"
        raise UsageError(f"unknown output format {name}", hint=hint)
    found: Renderer = import_module(f"{render.__name__}.{name}")
    return found
