"""A baseline is reviewed by people, never hides an unreadable file, and is refused when it is something else."""

import json
from pathlib import Path

import pytest

from burstctl.errors import UsageError
from burstctl.finding import Confidence, Finding, Severity
from burstctl.light import replace
from burstctl.lint.baseline import Baseline, render_baseline
from burstctl.lint.result import Result

FOUND = Finding("BL101", Severity.ERROR, Confidence.CERTAIN, "no rate", "a.yml", 1, 1, 1, 2, "job", None, None, "f")
UNREADABLE = replace(FOUND, code="BL001", identity="0")


def _read(tmp_path: Path, text: str) -> Baseline:
    (tmp_path / "lint.json").write_text(text)
    return Baseline.read(tmp_path / "lint.json")


def test_what_was_written_is_left_aside(tmp_path: Path) -> None:
    result = Result(tmp_path, [FOUND, UNREADABLE], ["a.yml"])
    text = render_baseline(result)
    assert json.loads(text)["findings"] == {FOUND.fingerprint: {"code": "BL101", "path": "a.yml", "message": "no rate"}}
    laid = _read(tmp_path, text).lay_over(result)
    assert laid.findings == [UNREADABLE]
    assert [(one.finding, one.in_source) for one in laid.suppressed] == [(FOUND, False)]


def test_an_unreadable_file_is_never_accepted(tmp_path: Path) -> None:
    result = Result(tmp_path, [UNREADABLE], ["a.yml"])
    document = {"schema": "burstctl.lint-baseline/1", "findings": {UNREADABLE.fingerprint: {}}}
    assert _read(tmp_path, json.dumps(document)).lay_over(result).fails


def test_findings_that_are_gone_are_counted(tmp_path: Path) -> None:
    text = render_baseline(Result(tmp_path, [FOUND], ["a.yml"]))
    assert _read(tmp_path, text).gone(Result(tmp_path, [], ["a.yml"])) == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "burstctl.lint-baseline/1"}', "[" * 100_000])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        _read(tmp_path, text)
    assert caught.value.hint == "--write-baseline writes it"
