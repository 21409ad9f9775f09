"""What a lint run promises whatever the rules: stable fingerprints, one finding per place, origins, hostile input."""

import time
from pathlib import Path

import pytest

from burstctl.lint.check import check
from burstctl.lint.project import Project
from burstctl.lint.result import Result
from burstctl.lint.settings import Settings

LOOP = """\
  script:
    - |
      for i in $(seq 1 400); do
        curl -s -X POST "$INFERENCE_URL/predict" -d @payload.json &
      done
"""
ROOT = ".gitlab-ci.yml"


def lint(tmp_path: Path, files: dict[str, str], *paths: str, settings: Settings | None = None) -> Result:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return check(paths or [ROOT], Project(tmp_path.resolve()), settings or Settings())


def test_a_fingerprint_stays_when_lines_move(tmp_path: Path) -> None:
    first = lint(tmp_path, {ROOT: f"a:\n{LOOP}"})
    moved = lint(tmp_path, {ROOT: f"# one\n# two\nother: {{script: [echo]}}\na:\n{LOOP}"})
    assert [one.fingerprint for one in first.findings] == [one.fingerprint for one in moved.findings]
    assert [one.line + 3 for one in first.findings] == [one.line for one in moved.findings]


def test_two_faults_of_one_kind_have_two_fingerprints(tmp_path: Path) -> None:
    twice = LOOP + LOOP.replace("  script:\n", "").replace("    - |", "    - |")
    found = lint(tmp_path, {ROOT: f"a:\n{twice}"}).findings
    assert sum(one.code == "BL301" for one in found) == 2
    assert len({one.fingerprint for one in found}) == len(found)


def test_a_file_that_two_pipelines_share_is_shown_once(tmp_path: Path) -> None:
    files = {
        ROOT: "include: ci/load.yml\n",
        "two.gitlab-ci.yml": "include: ci/load.yml\n",
        "ci/load.yml": f"a:\n{LOOP}",
    }
    once = lint(tmp_path, files, ROOT)
    both = lint(tmp_path, files, ROOT, "two.gitlab-ci.yml")
    assert once.findings == both.findings
    assert both.checked == [ROOT, "ci/load.yml", "two.gitlab-ci.yml"]


def test_what_is_inherited_says_where_from(tmp_path: Path) -> None:
    result = lint(tmp_path, {ROOT: f".load:\n{LOOP}a:\n  extends: .load\n"})
    (loop,) = [one for one in result.findings if one.code == "BL301"]
    assert loop.line == 4
    assert loop.origin is not None
    assert (loop.origin.path, loop.origin.line) == (ROOT, 1)
    assert "a (" in loop.origin.note
    assert ".load" in loop.origin.note


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: &a\n" + "".join(f"  k{i}: [*a]\n" for i in range(10)), id="alias in its own anchor"),
        pytest.param(
            "x0: &x0 [a, a, a, a, a, a, a, a, a]\n"
            + "".join(f"x{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 9)}]\n" for i in range(1, 12))
            + "job: {script: *x11}\n",
            id="bomb of aliases",
        ),
        pytest.param("a: " + "[" * 10_000, id="deep"),
        pytest.param("a: " + "{a: " * 10_000, id="deep mappings"),
        pytest.param("- " * 10_000, id="deep block"),
        pytest.param("a: {extends: b}\nb: {extends: a}\n", id="circle of extends"),
        pytest.param("include: .gitlab-ci.yml\na: {script: [echo]}\n", id="circle of includes"),
        pytest.param("a: {script: [!reference [b, script]]}\nb: {script: [!reference [a, script]]}\n", id="references"),
        pytest.param("\0", id="NUL"),
        pytest.param("a:\n\t- b\n", id="tab"),
        pytest.param("", id="empty"),
        pytest.param("- a\n- b\n", id="list"),
        pytest.param("a: !!python/object:os.system {}\n", id="tag"),
        pytest.param("a:\n  script:\n    - '" + "(" * 5000 + "curl'\n", id="deep shell"),
        pytest.param("a:\n  script:\n    - " + "$(curl " * 2000 + "\n", id="deep substitutions"),
        pytest.param("x" * 3_000_000, id="large"),
    ],
)
def test_hostile_files_end_in_findings_within_bounds(text: str, tmp_path: Path) -> None:
    started = time.process_time()
    lint(tmp_path, {ROOT: text})
    assert time.process_time() - started < 20


def test_a_large_file_is_refused_with_its_size(tmp_path: Path) -> None:
    (finding,) = lint(tmp_path, {ROOT: "a: b\n" * 2_500_000}).findings
    assert (finding.code, finding.line) == ("BL001", 1)
    assert "2,097,152 is the limit" in finding.message


def test_a_secret_of_a_variable_does_not_reach_a_message(tmp_path: Path) -> None:
    text = f"variables: {{API_TOKEN: golden-secret}}\na:\n{LOOP}"
    result = lint(tmp_path, {ROOT: text})
    assert result.secrets == ("golden-secret",)
