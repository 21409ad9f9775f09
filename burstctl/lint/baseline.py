"""The findings that a project has decided to live with until somebody mends them. Knows fingerprints, no rules.

The file lists them with code, path and message, so that a person who reviews it sees what is accepted.
"""

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from burstctl.errors import UsageError
from burstctl.light import light, replace
from burstctl.lint.result import Result, Suppressed

SCHEMA = "burstctl.lint-baseline/1"
_UNREADABLE = "BL001"
"""Nobody can accept what could not be read."""


@light
class Baseline:
    """Accepted findings by fingerprint."""

    accepted: Mapping[str, object]

    @classmethod
    def read(cls, place: str | PathLike[str]) -> "Baseline":
        """Read the file; `UsageError` if it is none."""
        hint = "--write-baseline writes it"
        try:
            document = json.loads(Path(place).read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"can't read {place}: {(error.strerror or 'unknown reason').lower()}", hint=hint) from None
        except (ValueError, RecursionError):
            raise UsageError(f"{place} is no baseline: it is not JSON", hint=hint) from None
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise UsageError(f"{place} is no baseline of schema {SCHEMA}", hint=hint)
        findings = document.get("findings")
        if not isinstance(findings, dict):
            raise UsageError(f"{place} lists no findings", hint=hint)
        return cls(findings)

    def gone(self, result: Result) -> int:
        """Count the accepted findings that are there no more."""
        return len(self.accepted.keys() - {finding.fingerprint for finding in result.findings})

    def lay_over(self, result: Result) -> Result:
        """Leave accepted findings aside."""
        accepted = [one for one in result.findings if one.fingerprint in self.accepted and one.code != _UNREADABLE]
        rest = [finding for finding in result.findings if finding not in accepted]
        aside = [Suppressed(finding, "listed in the baseline", in_source=False) for finding in accepted]
        return replace(result, findings=rest, suppressed=[*result.suppressed, *aside])


def render_baseline(result: Result) -> str:
    """Write a baseline of all findings of a run, in an order that keeps its differences small."""
    findings = {
        finding.fingerprint: {"code": finding.code, "path": finding.path, "message": finding.message}
        for finding in sorted(result.findings, key=lambda one: (one.path, one.code, one.fingerprint))
        if finding.code != _UNREADABLE
    }
    return json.dumps({"schema": SCHEMA, "findings": findings}, indent=2, ensure_ascii=False) + "\n"
