"""`burstctl lint` as its users meet it: exit codes, outputs, settings, repairs, baselines."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Result

Run = Callable[..., Result]

UNTHROTTLED = """\
golden-set:
  stage: verify
  parallel:
    matrix:
      - SHARD: [a, b, c]
  script:
    - |
      for i in $(seq 1 400); do
        curl -s -X POST "$INFERENCE_URL/predict" -d @payload.json &
      done
      wait
"""
REPAIRED = """\
golden-set:
  stage: verify
  parallel:
    matrix:
      - SHARD: [a, b, c]
  script:
    - burstctl run burst.yaml --rate-limit 300/s
"""
BROKEN = 'load:\n  script:\n    - "echo\n'


def _codes(result: Result) -> list[str]:
    return [finding["code"] for finding in json.loads(result.out)["findings"]]


def test_an_unthrottled_pipeline_fails_with_places(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint")
    assert result.code == 1
    assert ".gitlab-ci.yml:1:1: error[BL101]" in result.out
    assert ".gitlab-ci.yml:8:7: error[BL301]" in result.out
    assert _codes(burstctl("lint", "--output", "json=-")) == ["BL101", "BL301"]


@pytest.mark.parametrize("more", [[], ["--budget", "300/s"]])
def test_the_repaired_pipeline_passes(burstctl: Run, tmp_path: Path, more: list[str]) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(REPAIRED)
    result = burstctl("lint", *more)
    assert (result.code, result.err) == (0, "")
    assert "0 error" not in result.out


def test_broken_yaml_is_a_finding_and_other_files_are_still_checked(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(BROKEN)
    (tmp_path / "other.gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", ".gitlab-ci.yml", "other.gitlab-ci.yml", "--output", "json=-")
    assert result.code == 1
    assert _codes(result) == ["BL001", "BL101", "BL301"]


def test_a_path_that_is_not_there_is_a_usage_error(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", ".gitlab-ci.yml", "nowhere.yml")
    assert (result.code, result.out) == (2, "")
    assert "can't read nowhere.yml: no such file or directory" in result.err


def test_no_ci_file_is_nothing_to_do(burstctl: Run) -> None:
    result = burstctl("lint")
    assert result.code == 5
    assert "no CI file found" in result.err
    assert ".gitlab-ci.yml" in result.err
    assert "bitbucket-pipelines.yml" in result.err


def test_exit_zero_hides_findings_but_no_fault(burstctl: Run, tmp_path: Path) -> None:
    assert burstctl("lint", "--exit-zero").code == 5
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    assert burstctl("lint", "--exit-zero").code == 0
    assert burstctl("lint", "--exit-zero", "nowhere.yml").code == 2


@pytest.mark.parametrize(
    "name", ["text", "concise", "json", "jsonl", "sarif", "gitlab", "junit", "github", "checkstyle"]
)
def test_the_exit_code_is_the_same_in_every_format(burstctl: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", "--output", f"{name}=-")
    assert result.code == 1
    assert "BL301" in result.out


def test_several_outputs_in_one_run(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", "--output", "text=-", "--output", "gitlab=quality.json", "--output", "sarif=a.sarif")
    assert result.code == 1
    assert "2 errors" in result.out
    assert len(json.loads((tmp_path / "quality.json").read_text())) == 2
    assert json.loads((tmp_path / "a.sarif").read_text())["version"] == "2.1.0"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitlab-ci.yml", "a.sarif", "quality.json"]


def test_an_output_never_takes_the_place_of_a_file_that_was_checked(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", "--output", "json=.gitlab-ci.yml")
    assert result.code == 2
    assert (tmp_path / ".gitlab-ci.yml").read_text() == UNTHROTTLED


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--output", "serif=-"], "unknown format serif"),
        (["--output", "json"], "expected FORMAT=PATH"),
        (["--select", "BL999"], "there is no rule BL999"),
        (["--ignore", "E501"], "expected codes such as BL101"),
        (["--budget", "many"], "expected a positive number"),
        (["--write-baseline"], "--write-baseline needs --baseline"),
        (["--stdin-filename", "a.yml"], "goes with the path -"),
        (["-"], "needs --stdin-filename"),
        (["--diff", "--output", "json=-"], "both want standard output"),
        (["--expand", "--fix"], "--expand checks nothing"),
        (["--baseline", "none.json"], "can't read none.json"),
    ],
)
def test_what_can_not_be_asked_is_said(burstctl: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", *arguments)
    assert result.code == 2
    assert said in result.err
    assert result.out == ""


def test_select_and_ignore_choose_rules(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    assert _codes(burstctl("lint", "--select", "BL3", "--output", "json=-")) == ["BL301"]
    assert _codes(burstctl("lint", "--ignore", "BL3,BL2", "--output", "json=-")) == ["BL101"]


def test_options_come_from_the_environment_too(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    env = {"BURSTCTL_LINT_SELECT": "BL301", "BURSTCTL_LINT_OUTPUT": "json=-\nconcise=a.txt"}
    result = burstctl("lint", env=env)
    assert _codes(result) == ["BL301"]
    assert (tmp_path / "a.txt").read_text().count("\n") == 1


def test_settings_come_from_the_project_and_options_beat_them(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    (tmp_path / "pyproject.toml").write_text('[tool.burstctl.lint]\nselect = ["BL301"]\n')
    assert _codes(burstctl("lint", "--output", "json=-")) == ["BL301"]
    assert _codes(burstctl("lint", "--select", "BL101", "--output", "json=-")) == ["BL101"]
    (tmp_path / ".burstctl.toml").write_text('[tool.burstctl.lint]\nignore = ["BL301"]\n')
    assert _codes(burstctl("lint", "--output", "json=-")) == ["BL101"]


def test_a_key_that_settings_have_not_is_a_usage_error(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    (tmp_path / "pyproject.toml").write_text('[tool.burstctl.lint]\nbugdet = "300/s"\n')
    result = burstctl("lint")
    assert result.code == 2
    assert "pyproject.toml: [tool.burstctl.lint] has no key bugdet" in result.err
    assert "did you mean budget?" in result.err


def test_standard_input_is_checked_under_its_name(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(REPAIRED)
    result = burstctl("lint", "--stdin-filename", ".gitlab-ci.yml", "--output", "json=-", "-", stdin=UNTHROTTLED)
    assert (result.code, _codes(result)) == (1, ["BL101", "BL301"])
    assert burstctl("lint", "--stdin-filename", ".gitlab-ci.yml", "-", stdin=b"\xff\xfe").code == 2


def test_a_baseline_silences_what_it_lists(burstctl: Run, tmp_path: Path) -> None:
    file = tmp_path / ".gitlab-ci.yml"
    file.write_text(UNTHROTTLED)
    first = burstctl("lint", "--baseline", "lint.json", "--write-baseline")
    assert (first.code, "lists 2 findings" in first.err) == (0, True)
    file.write_text("# a new line\n" + UNTHROTTLED)
    assert burstctl("lint", "--baseline", "lint.json").code == 0
    file.write_text(UNTHROTTLED + UNTHROTTLED.replace("golden-set", "another"))
    again = burstctl("lint", "--baseline", "lint.json", "--output", "json=-")
    assert (again.code, {one["job"] for one in json.loads(again.out)["findings"]}) == (1, {"another"})
    file.write_text(REPAIRED)
    assert "2 of the baseline's findings are gone" in burstctl("lint", "--baseline", "lint.json").err


UNUSED = """\
unit-tests:
  script:
    - pytest  # burstctl: ignore[BL101] no load here
    - echo done
"""


def test_repairs_change_nothing_else(burstctl: Run, tmp_path: Path) -> None:
    file = tmp_path / ".gitlab-ci.yml"
    file.write_bytes(b"\xef\xbb\xbf" + UNUSED.replace("\n", "\r\n").encode())
    shown = burstctl("lint", "--diff")
    assert shown.code == 1
    assert "-    - pytest  # burstctl: ignore[BL101] no load here\n+    - pytest\n" in shown.out
    assert file.read_bytes().startswith(b"\xef\xbb\xbfunit-tests:\r\n")
    result = burstctl("lint", "--fix")
    assert (result.code, "changed .gitlab-ci.yml: remove the comment" in result.err) == (0, True)
    repaired = UNUSED.replace("  # burstctl: ignore[BL101] no load here", "").replace("\n", "\r\n")
    assert file.read_bytes() == b"\xef\xbb\xbf" + repaired.encode()


def test_expand_prints_resolved_jobs_with_their_places(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(UNTHROTTLED)
    result = burstctl("lint", "--expand")
    assert result.code == 0
    assert "golden-set:" in result.out
    assert "# .gitlab-ci.yml:1" in result.out


def test_a_manifest_that_a_job_sends_is_checked_too(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text("send:\n  script:\n    - burstctl run load/big.yaml\n")
    (tmp_path / "load").mkdir()
    manifest = "target: {base_url: 'http://fleet'}\nrequests:\n  - {name: a, path: /predict}\nthresholds: [p95 < 1s]\n"
    (tmp_path / "load" / "big.yaml").write_text(manifest)
    result = burstctl("lint", "--output", "json=-")
    assert [(one["code"], one["path"], one["line"]) for one in json.loads(result.out)["findings"]] == [
        ("BL110", "load/big.yaml", 1)
    ]
    (tmp_path / "load" / "big.yaml").write_text("rate_limit: 900/s\n" + manifest)
    assert "BL111" in _codes(burstctl("lint", "--budget", "300/s", "--output", "json=-"))


def test_links_that_lead_out_of_the_project_are_not_followed(burstctl: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yml"
    outside.write_text(UNTHROTTLED)
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".gitlab-ci.yml").symlink_to(outside)
    result = burstctl("lint", "project", "--output", "json=-")
    assert _codes(result) == ["BL001"]


def test_the_hook_names_a_command_that_exists() -> None:
    import yaml

    (hook,) = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"] == "burstctl lint"
    assert hook["pass_filenames"] is False
