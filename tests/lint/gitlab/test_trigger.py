"""Child pipelines of the project are read as part of the pipeline; others are noted."""

from typing import Any

import pytest


def test_the_jobs_of_a_child_belong_to_the_pipeline(read: Any) -> None:
    view = read(
        """
variables: {RATE: 10, HOST: h}
kids:
  variables: {RATE: 20}
  trigger: {include: child.yml, strategy: depend}
  resource_group: fleet
  parallel: 2
""",
        {"child.yml": "load: {script: [x], variables: {RATE: 5, OWN: o}, parallel: 3}\n"},
    )
    one = view.job("load")
    assert one.parent == "kids"
    assert view.variables("load") == {"RATE": "20", "OWN": "o", "HOST": "h"}
    assert (one.instances, one.group) == (6, "fleet")
    assert view.script("kids") == []
    assert view.hits == []


def test_a_matrix_of_children_differs_in_its_variables(read: Any) -> None:
    view = read(
        "kids:\n  trigger: {include: [{local: c.yml, inputs: {n: 7}}]}\n  parallel: {matrix: [{R: [eu, us]}]}\n",
        {"c.yml": "spec: {inputs: {n: }}\n---\nload: {script: $[[ inputs.n ]], parallel: {matrix: [{S: [1, 2]}]}}\n"},
    )
    assert view.script("load") == ["7"]
    assert view.job("load").instances == 4
    assert view.job("load").matrix[0] == {"S": "1", "R": "eu"}


def test_a_child_may_be_kept_from_the_variables(read: Any) -> None:
    view = read(
        "kids: {variables: {A: 1}, trigger: {include: c.yml, forward: {yaml_variables: false}}}\n",
        {"c.yml": "load: {script: [x]}\n"},
    )
    assert view.variables("load") == {}


@pytest.mark.parametrize(
    ("trigger", "word"),
    [
        ("other/project", "project `other/project`"),
        ("{project: other/project, branch: x}", "project `other/project`"),
        ("{include: [{artifact: gen.yml, job: make}]}", "generated file `gen.yml`"),
        ("{include: [{project: g/p, file: x.yml}]}", "project file `g/p/x.yml`"),
    ],
)
def test_what_runs_elsewhere_is_noted(read: Any, trigger: str, word: str) -> None:
    view = read(f"kids:\n  trigger: {trigger}\n")
    assert view.hits == [("BL012", 2)]
    assert word in view.messages
    assert not view.pipeline.partial


def test_children_of_children_end(read: Any) -> None:
    view = read("kids: {trigger: {include: .gitlab-ci.yml}}\n")
    assert [code for code, _ in view.hits] == ["BL002"]
    assert "2 levels" in view.messages
    assert len(view.names) == 3


def test_thousands_of_children_are_refused_in_bounded_time(read: Any) -> None:
    text = "".join(f"k{n}: {{trigger: {{include: .gitlab-ci.yml}}}}\n" for n in range(1_000))
    assert "BL002" in [code for code, _ in read(text).hits]
