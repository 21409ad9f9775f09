"""Lint findings as SARIF 2.1.0, for code scanning. Knows what rules say of themselves, no more.

GitHub refuses a whole file for one result without a location or with a strange URI; each finding has one of both.
"""

import json
from collections.abc import Sequence
from urllib.parse import quote

from burstctl import __version__
from burstctl.finding import Finding, Origin, Severity
from burstctl.lint.result import Result, Suppressed
from burstctl.lint.rule.registry import codes, load, name_of

NAME = "sarif"

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = "https://pypi.org/project/burstctl/"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}


def render(result: Result) -> str:
    """Write the log: one run, all rules, and also what was silenced, marked as such."""
    known = list(codes())
    run = {
        "tool": {
            "driver": {
                "name": "burstctl",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": _HOME,
                "rules": [_rule(code) for code in known],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [
            *(_result(finding, known) for finding in result.findings),
            *(_suppressed(one, known) for one in result.suppressed),
        ],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, object]:
    rule = load(code)
    rationale = " ".join(rule.RATIONALE.split())
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in name_of(code).split("-")),
        "shortDescription": {"text": f"{rule.SUMMARY[0].upper()}{rule.SUMMARY[1:]}."},
        "fullDescription": {"text": rationale},
        "help": {
            "text": f"{rationale} (burstctl explain {code})",
            "markdown": f"{rationale}\n\n`burstctl explain {code}`",
        },
        "defaultConfiguration": {"level": _LEVELS[rule.SEVERITY]},
        "properties": {"precision": "high", "tags": ["ci", "inference", "rate-limit"]},
    }


def _result(finding: Finding, known: Sequence[str]) -> dict[str, object]:
    job = f" (job {finding.job})" if finding.job else ""
    hint = f" Hint: {finding.hint}" if finding.hint else ""
    end = {"endLine": finding.end_line, "endColumn": finding.end_column}
    document: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": known.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}{job}.{hint}"},
        "locations": [{"physicalLocation": _place(finding.path, finding.line, finding.column, end)}],
        "partialFingerprints": {"burstctl/v1": finding.fingerprint},
        "properties": {"confidence": str(finding.confidence)},
    }
    if finding.origin:
        document["relatedLocations"] = [_related(finding.origin)]
    return document


def _suppressed(one: Suppressed, known: Sequence[str]) -> dict[str, object]:
    kind = "inSource" if one.in_source else "external"
    return {
        **_result(one.finding, known),
        "suppressions": [{"kind": kind, "justification": one.reason or "no reason given"}],
    }


def _place(path: str, line: int, column: int, end: dict[str, int]) -> dict[str, object]:
    return {
        "artifactLocation": {"uri": quote(path), "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": line, "startColumn": column, **end},
    }


def _related(origin: Origin) -> dict[str, object]:
    place = _place(origin.path, origin.line, origin.column, {})
    return {"message": {"text": origin.note}, "physicalLocation": place}
