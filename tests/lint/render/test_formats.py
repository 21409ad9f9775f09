"""Each format as those who read it take it: what stands where, and what they would refuse."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from burstctl.errors import UsageError
from burstctl.lint.render.registry import load, names
from burstctl.lint.result import Result

FORMATS = ["checkstyle", "concise", "github", "gitlab", "json", "jsonl", "junit", "sarif", "text"]


def render(name: str, result: Result) -> str:
    return load(name).render(result)


def test_all_formats_are_found_by_name() -> None:
    assert names() == FORMATS
    assert [load(name).NAME for name in names()] == FORMATS


def test_an_unknown_format_gets_a_suggestion() -> None:
    with pytest.raises(UsageError) as caught:
        load("serif")
    assert caught.value.hint == "did you mean sarif?"


def test_text_shows_place_excerpt_origin_hint_and_sum(result: Result) -> None:
    assert (
        render("text", result)
        == """\
.gitlab-ci.yml:3:7: warning[BL303] hey has no rate (job golden-set)
  3 |     - hey -n 400 "$URL/predict"
    |       ^
  = golden-set has this from .load, .gitlab-ci.yml:1

.gitlab-ci.yml:4:1: error[BL101] no rate limit: hey on line 3 fires requests as fast as it can (job golden-set)
  4 | golden-set:
    | ^
  = hint: send it with `burstctl run`

ci/more things.yml:1:1: notice[BL010] 100% of it, and more: not read

1 error, 1 warning, 1 notice (1 silenced); 2 files checked
"""
    )


def test_text_without_findings_says_so(make: Callable[..., Result]) -> None:
    assert render("text", make()) == "no findings; 1 file checked\n"


def test_concise_has_one_line_for_each(result: Result) -> None:
    lines = render("concise", result).splitlines()
    assert lines[0] == ".gitlab-ci.yml:3:7: warning[BL303] hey has no rate (job golden-set)"
    assert len(lines) == 3


def test_json_has_exactly_the_fields_of_the_contract(result: Result) -> None:
    document = json.loads(render("json", result))
    assert list(document) == ["schema", "findings", "files"]
    assert document["schema"] == "burstctl.lint/1"
    assert document["files"] == 2
    assert list(document["findings"][0]) == [
        "code", "severity", "confidence", "message", "path", "line", "column", "end_line", "end_column", "job",
        "origin", "hint", "fingerprint",
    ]  # fmt: skip
    assert document["findings"][0]["origin"] == {
        "path": ".gitlab-ci.yml", "line": 1, "column": 1, "note": "golden-set has this from .load",
    }  # fmt: skip
    assert document["findings"][2]["job"] is None


def test_jsonl_has_the_same_findings_in_lines(result: Result) -> None:
    lines = [json.loads(line) for line in render("jsonl", result).splitlines()]
    assert lines == json.loads(render("json", result))["findings"]


def test_gitlab_has_all_that_the_widget_needs(result: Result, make: Callable[..., Result]) -> None:
    issues: list[dict[str, Any]] = json.loads(render("gitlab", result))
    assert [issue["severity"] for issue in issues] == ["major", "critical", "info"]
    assert issues[1]["description"].startswith("BL101: no rate limit")
    assert issues[1]["check_name"] == "burstctl BL101"
    assert issues[1]["location"]["positions"]["begin"] == {"line": 4, "column": 1}
    assert len({issue["fingerprint"] for issue in issues}) == 3
    assert json.loads(render("gitlab", make())) == []


def test_sarif_has_rules_places_fingerprints_and_suppressions(result: Result) -> None:
    document = json.loads(render("sarif", result))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    for one in run["results"]:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
        (location,) = one["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert uri
        assert " " not in uri
        assert unquote(uri) in (".gitlab-ci.yml", "ci/more things.yml")
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert one["partialFingerprints"]
    assert [one["level"] for one in run["results"]] == ["warning", "error", "note", "error"]
    assert run["results"][0]["relatedLocations"][0]["message"]["text"] == "golden-set has this from .load"
    assert run["results"][3]["suppressions"] == [{"kind": "inSource", "justification": "a fleet of its own"}]


def test_junit_has_a_suite_for_each_file_and_fails_for_what_fails(result: Result, make: Callable[..., Result]) -> None:
    root = ElementTree.fromstring(render("junit", result))
    assert root.attrib["tests"] == "3"
    assert root.attrib["failures"] == "2"
    assert [suite.attrib["name"] for suite in root] == [".gitlab-ci.yml", "ci/more things.yml"]
    assert len(root.findall(".//failure")) == 2
    names = [case.attrib["name"] for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    passed = ElementTree.fromstring(render("junit", make()))
    assert len(passed.findall(".//testcase")) == 1
    assert passed.findall(".//failure") == []


def test_checkstyle_has_an_element_for_each_file(result: Result) -> None:
    root = ElementTree.fromstring(render("checkstyle", result))
    assert [file.attrib["name"] for file in root] == [".gitlab-ci.yml", "ci/more things.yml"]
    assert [error.attrib["severity"] for error in root.iter("error")] == ["warning", "error", "info"]
    assert next(root.iter("error")).attrib["source"] == "burstctl.BL303"


def test_github_begins_with_the_worst_and_has_columns_within_one_line_only(result: Result) -> None:
    lines = render("github", result).splitlines()
    assert lines[0] == (
        "::error file=.gitlab-ci.yml,line=4,endLine=4,col=1,endColumn=11,title=BL101 in golden-set"
        "::no rate limit: hey on line 3 fires requests as fast as it can%0Ahint: send it with `burstctl run`"
    )
    assert lines[2] == (
        "::notice file=ci/more things.yml,line=1,endLine=3,title=BL010::100%25 of it, and more: not read"
    )
    assert not lines[3].startswith("::")
