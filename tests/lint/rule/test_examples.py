"""Runs the two examples that each rule brings along: the bad one has its finding, the good one passes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from burstctl.lint.check import check
from burstctl.lint.configuration import settings_from
from burstctl.lint.project import Project
from burstctl.lint.result import Result
from burstctl.lint.rule.registry import codes, load, name_of

if TYPE_CHECKING:
    from burstctl.lint.rule.registry import Rule


def _lint(rule: "Rule", text: str, empty: Path) -> Result:
    path = getattr(rule, "EXAMPLE_PATH", ".gitlab-ci.yml")
    project = Project(empty.resolve(), {**getattr(rule, "FILES", {}), path: text})
    return check([path], project, settings_from(getattr(rule, "SETTINGS", {}), "the example"))


@pytest.mark.parametrize("code", codes())
def test_the_bad_example_has_the_finding(code: str, tmp_path: Path) -> None:
    rule = load(code)
    found = [one for one in _lint(rule, rule.BAD, tmp_path).findings if one.code == code]
    assert found
    assert min(found, key=lambda one: one.severity.rank).severity is rule.SEVERITY


@pytest.mark.parametrize("code", codes())
def test_the_good_example_passes(code: str, tmp_path: Path) -> None:
    rule = load(code)
    result = _lint(rule, rule.GOOD, tmp_path)
    assert [f"{one.code} {one.line} {one.message}" for one in result.findings if one.fails or one.code == code] == []


@pytest.mark.parametrize("code", codes())
def test_a_rule_says_what_it_is_about(code: str) -> None:
    rule = load(code)
    assert code == rule.CODE
    assert rule.SUMMARY
    assert not rule.SUMMARY.endswith(".")
    assert "\n" not in rule.SUMMARY
    assert rule.RATIONALE.strip().endswith(".")
    assert name_of(code)
