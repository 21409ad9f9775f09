"""Finds the lint rules by code: each module of this folder but this one is a rule, named `blnnn_what_it_finds`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

from burstctl.finding import Confidence, Severity
from burstctl.lint import rule
from burstctl.lint.case import Case
from burstctl.lint.modules import modules_in
from burstctl.lint.pipeline import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Rule(Protocol):
        """What a rule's module offers."""

        CODE: str
        SEVERITY: Severity
        CONFIDENCE: Confidence
        SUMMARY: str
        """One line, without a full stop."""
        RATIONALE: str
        """A paragraph: why it matters, and what to do."""
        BAD: str
        """A whole `.gitlab-ci.yml` (or what `EXAMPLE_PATH` names) that has this finding."""
        GOOD: str
        """The same, repaired: it has no finding above notice."""

        def check(self, case: Case) -> Iterable[Hit]:
            """Look at one pipeline."""
            ...


def codes() -> dict[str, str]:
    """Map each rule's code to its module, without importing any."""
    names = (name for name in modules_in(rule) if name.startswith("bl"))
    return {name.partition("_")[0].upper(): name for name in names}


def load(code: str, known: Mapping[str, str] | None = None) -> Rule:
    """Import a rule by its code; `KeyError` if there is none. `known` is what `codes` gives."""
    found: Rule = import_module(f"{rule.__name__}.{(known or codes())[code]}")
    return found


def name_of(code: str) -> str:
    """Give a rule's name in words: `missing-rate-limit`."""
    return codes()[code].partition("_")[2].replace("_", "-")
