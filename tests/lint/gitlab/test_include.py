"""Local includes are followed as GitLab merges them; all others are noted once."""

from pathlib import Path
from typing import Any

import pytest

from burstctl.lint.settings import Settings


def test_later_includes_win_and_the_file_itself_wins_over_all(read: Any) -> None:
    view = read(
        "include: [a.yml, /b.yml]\njob: {variables: {C: root}}\n",
        {
            "a.yml": "job: {script: [a], variables: {A: a, B: a, C: a}}\nvariables: {G: a}\n",
            "b.yml": "job: {script: [b], variables: {B: b, C: b}}\n",
        },
    )
    assert view.script() == ["b"]
    assert view.variables() == {"G": "a", "A": "a", "B": "b", "C": "root"}
    assert [file.path for file in view.pipeline.files] == [".gitlab-ci.yml", "a.yml", "b.yml"]
    assert view.hits == []


def test_includes_nest_depth_first(read: Any) -> None:
    view = read(
        "include: {local: ci/a.yml}\n",
        {
            "ci/a.yml": "include: ci/deep.yml\njob: {script: [a]}\n",
            "ci/deep.yml": ".t: {stage: deploy}\njob: {extends: .t, script: [deep]}\n",
        },
    )
    assert (view.script(), view.job().stage) == (["a"], "deploy")


def test_a_job_knows_all_its_definitions(read: Any) -> None:
    view = read("include: a.yml\njob:\n  stage: x\n", {"a.yml": "job:\n  script: [a]\n"})
    one = view.job()
    assert (one.key.file.path, one.key.begins.line) == (".gitlab-ci.yml", 2)
    assert [span.file.path for span in one.own] == ["a.yml", ".gitlab-ci.yml"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("ci/*.yml", ["a", "b"]),
        ("/ci/*.yml", ["a", "b"]),
        ("ci/**.yml", ["a", "b", "c", "d"]),
        ("ci/**/*.yml", ["c", "d"]),
        ("ci/*/*.yml", ["c"]),
        ("**/d.yml", ["d"]),
        ("ci/x*.yml", []),
        ("**", ["a", "b", "c", "d"]),
        ("ci/**a.yml", ["a"]),
        ("ci/*b/**d*l", ["d"]),
        ("../**.yml", []),
        ("ci/" + "*a" * 200 + "*.yml", []),
    ],
)
def test_wildcards(read: Any, pattern: str, expected: list[str]) -> None:
    files = {"ci/a.yml": "a", "ci/b.yml": "b", "ci/sub/c.yml": "c", "ci/sub/deep/d.yml": "d", "ci/e.txt": "e"}
    files = {path: f"{name}: {{script: [x]}}\n" for path, name in files.items()}
    view = read(f"include: '{pattern}'\n", files | {"ci/" + "a" * 200: ""})
    assert [name for name in sorted(view.names) if name != "e"] == expected
    assert {code for code, _ in view.hits} <= {"BL002"}, "a pipeline that includes itself"


@pytest.mark.parametrize(
    ("include", "word"),
    [
        ("https://example.com/ci.yml", "URL `https://example.com/ci.yml`"),
        ("{remote: 'https://example.com/ci.yml'}", "URL"),
        ("{project: g/p, file: /x.yml, ref: v1}", "project file `g/p/x.yml`"),
        ("{template: Jobs/SAST.gitlab-ci.yml}", "template `Jobs/SAST.gitlab-ci.yml`"),
        ("{component: $CI_SERVER_FQDN/g/p/name@1.0}", "component"),
        ("{local: 'ci/$CI_X.yml'}", "file `ci/$CI_X.yml`"),
    ],
)
def test_what_stands_elsewhere_is_noted_once(read: Any, include: str, word: str) -> None:
    view = read(f"include:\n  - {include}\njob: {{script: [x]}}\n")
    assert view.hits == [("BL010", 2)]
    assert word in view.messages
    assert view.pipeline.partial
    assert not view.job().partial


def test_each_file_of_a_project_is_noted(read: Any) -> None:
    view = read("include:\n  - project: g/p\n    file: [a.yml, b.yml]\n")
    assert view.hits == [("BL010", 3), ("BL010", 3)]


def test_a_job_with_nothing_to_run_overrides_what_is_not_read(read: Any) -> None:
    view = read("include: https://example.com/ci.yml\na: {variables: {RATE: 5}}\nb: {script: [x]}\n")
    assert [one.partial for one in view.pipeline.jobs] == [True, False]


def test_a_link_to_a_folder_elsewhere_is_not_followed(read: Any, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc")
    assert read("include: 'link/*'\njob: {script: [x]}\n").names == ["job"]


def test_jobs_that_take_from_what_is_not_read_are_partial_and_no_finding(read: Any) -> None:
    view = read("""
include: https://example.com/ci.yml
a: {extends: .remote, script: [x]}
b: {script: [!reference [.remote, script], y]}
c: {script: [z]}
d: {extends: a}
""")
    assert [one.name for one in view.pipeline.jobs if one.partial] == ["a", "b", "d"]
    assert view.hits == [("BL010", 2)]
    assert view.script("b") == ["y"]


def test_a_setting_maps_an_include_to_a_local_file(read: Any) -> None:
    mapped = {
        "project:g/p/x.yml": "copies/x.yml",
        "remote:https://example.com/ci.yml": "copies/r.yml",
        "template:T.yml": "copies/t.yml",
        "component:$CI_SERVER_FQDN/g/c/name@1": "copies/c.yml",
        "project:g/p/nested.yml": "copies/n.yml",
    }
    view = read(
        """
include:
  - {project: g/p, file: x.yml}
  - https://example.com/ci.yml
  - template: T.yml
  - component: $CI_SERVER_FQDN/g/c/name@1
""",
        {
            # A local path in another project's file is a path in that project.
            "copies/x.yml": "include: [nested.yml, other.yml]\nx: {script: [x]}\n",
            "copies/n.yml": "n: {script: [x]}\n",
            "copies/r.yml": "r: {script: [x]}\n",
            "copies/t.yml": "t: {script: [x]}\n",
            "copies/c.yml": "c: {script: [x]}\n",
            "other.yml": "wrong: {script: [x]}\n",
        },
        settings=Settings(include_map=mapped),
    )
    assert sorted(view.names) == ["c", "n", "r", "t", "x"]
    assert view.hits == [("BL010", 1)]
    assert "g/p/other.yml" in view.messages


@pytest.mark.parametrize("path", ["templates/load.yml", "templates/load/template.yml"])
def test_a_component_of_the_project_itself_is_read(read: Any, path: str) -> None:
    view = read(
        "include:\n  - component: $CI_SERVER_FQDN/$CI_PROJECT_PATH/load@$CI_COMMIT_SHA\n    inputs: {rate: 5}\n",
        {path: "spec: {inputs: {rate: }}\n---\nload: {script: ['run $[[ inputs.rate ]]']}\n"},
    )
    assert view.script() == ["run 5"]
    assert view.hits == []


def test_a_missing_file_is_a_finding(read: Any) -> None:
    view = read("include:\n  - local: nowhere.yml\njob: {extends: .x, script: [x]}\n")
    assert view.hits == [("BL002", 2)]
    assert view.job().partial


def test_an_unreadable_include_is_told_and_the_rest_is_read(read: Any) -> None:
    view = read("include: [bad.yml, good.yml]\n", {"bad.yml": "a: [1\n", "good.yml": "job: {script: [x]}\n"})
    assert [(hit.code, hit.span.file.path) for hit in view.pipeline.hits] == [("BL001", "bad.yml")]
    assert view.names == ["job"]


def test_a_circle_is_a_finding(read: Any) -> None:
    files = {"a.yml": "include: b.yml\na: {script: [x]}\n", "b.yml": "include: a.yml\nb: {script: [x]}\n"}
    view = read("include: a.yml\n", files)
    assert [(hit.code, hit.span.file.path) for hit in view.pipeline.hits] == [("BL002", "b.yml")]
    assert "a.yml → b.yml → a.yml" in view.messages
    assert sorted(view.names) == ["a", "b"]


def test_a_file_that_includes_itself_is_a_finding(read: Any) -> None:
    assert read("include: '*.yml'\njob: {script: [x]}\n").hits == [("BL002", 1)]


def test_more_than_150_files_are_not_included(read: Any) -> None:
    # Each file includes the next two: two to the power of thirty files in all.
    files = {f"f{n}.yml": f"include: [f{n + 1}.yml, f{n + 1}.yml]\n" for n in range(30)}
    view = read("include: f0.yml\n", {**files, "f30.yml": "job: {script: [x]}\n"})
    assert {code for code, _ in view.hits} == {"BL002"}
    assert "more than 150" in view.messages


def test_an_include_whose_rules_never_hold_is_left_out(read: Any) -> None:
    view = read(
        "include:\n  - {local: a.yml, rules: [{when: never}]}\n  - {local: b.yml, rules: [{if: $X}]}\n",
        {"a.yml": "a: {script: [x]}\n", "b.yml": "b: {script: [x]}\n"},
    )
    assert view.names == ["b"]


def test_anchors_do_not_reach_another_file(read: Any) -> None:
    view = read("include: a.yml\n.x: &x {script: [x]}\njob: {script: [x]}\n", {"a.yml": "a: *x\n"})
    assert [hit.code for hit in view.pipeline.hits] == ["BL001"]


def test_a_part_of_a_pipeline_notes_once_what_it_takes_from_other_parts(read: Any) -> None:
    text = "".join(f"j{n}: {{extends: .p{n}, script: [!reference [.q, script]]}}\n" for n in range(9))
    view = read(text, path="ci/load.gitlab-ci.yml")
    assert view.hits == [("BL010", 1)]
    assert "`.p0`, `.q`, `.p1` and 7 more" in view.messages
    assert all(one.partial for one in view.pipeline.jobs)


def test_nothing_outside_of_the_project_is_read(read: Any) -> None:
    assert read("include: ../../etc/passwd\n").hits == [("BL002", 1)]


def test_a_pipeline_in_a_folder_of_its_own_brings_its_includes_along(read: Any) -> None:
    files = {
        "demo/ci/a.yml": "a: {script: [x]}\n",
        "demo/ci/b.yml": "b: {script: [x]}\n",
        "root.yml": "c: {script: [x]}\n",
    }
    view = read("include: [/ci/a.yml, 'ci/b*.yml', root.yml]\n", files, path="demo/.gitlab-ci.yml")
    assert view.names == ["a", "b", "c"]
    assert view.hits == []
