"""CloudFormation templates: references in all their spellings, and texts that are none."""

import time
from pathlib import Path

import pytest

from burstctl.lint.check import check
from burstctl.lint.cloudformation.template import read_template
from burstctl.lint.document import Unreadable
from burstctl.lint.file import File
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

HEAD = "Parameters: {Size: {Type: Number, Default: 4}, Other: {Type: Number}}\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3", 3),
        ('"3"', 3),
        ("!Ref Size", 4),
        ("{Ref: Size}", 4),
        ("!Ref Other", None),
        ("!If [Large, 1, 2]", None),
        ("{'Fn::If': [Large, 1, 2]}", None),
        ('!Sub "${Size}"', None),
    ],
)
def test_a_value_is_a_literal_or_a_parameters_default(value: str, expected: float | None) -> None:
    text = f"{HEAD}Resources:\n  G: {{Type: X, Properties: {{MinSize: {value}}}}}\n"
    (group,) = read_template(File.of("template.yaml", text))
    found = group.given("MinSize")
    assert found
    assert found.number == expected


@pytest.mark.parametrize("text", ["", "- a\n", "Resources: [", "Resources: &a [*a]"])
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_template(File.of("template.yaml", text))


@pytest.mark.parametrize(
    "text", ["Resources: 3", "Resources: {G: 3}", "Resources: {G: {Type: [1]}}", "Resources:\n  G: {Type: A}"]
)
def test_odd_resources_are_left_out_or_empty(text: str) -> None:
    assert all(not one.properties.entries for one in read_template(File.of("template.yaml", text)))


def test_a_bomb_of_aliases_is_no_danger(tmp_path: Path) -> None:
    lines = ["a0: &a0 {MetricName: x}"] + [f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}, *a{n}]" for n in range(60)]
    alarm = "  Q: {Type: AWS::CloudWatch::Alarm, Properties: {Metrics: *a60}}\n"
    group = "  G: {Type: AWS::AutoScaling::AutoScalingGroup, Properties: {MinSize: 1, Tags: *a60}}\n"
    project = Project(tmp_path.resolve(), {"template.yaml": "\n".join(lines) + f"\nResources:\n{alarm}{group}"})
    began = time.perf_counter()
    check(["template.yaml"], project, Settings())
    assert time.perf_counter() - began < 5
