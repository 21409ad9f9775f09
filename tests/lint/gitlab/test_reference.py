"""`!reference` puts in place what it names, at any depth; circles and dead ends are findings."""

from typing import Any

import pytest


def test_commands_are_taken_from_elsewhere(read: Any) -> None:
    view = read("""
.setup: {script: [one, two], after_script: [bye]}
job:
  script:
    - !reference [.setup, script]
    - three
  after_script: !reference [.setup, after_script]
""")
    assert view.script() == ["one", "two", "three"]
    assert view.script(section="after_script") == ["bye"]
    piece = view.job().scripts[0].pieces[0]
    assert piece.span.begins.line == 2, "where the command stands, not where it is used"


def test_any_depth_of_any_part_may_be_named(read: Any) -> None:
    view = read("""
.vars: {load: {fleet: {RATE: 300}}, one: 5}
variables: !reference [.vars, load, fleet]
job:
  script: [x]
  variables: {RATE_LIMIT: !reference [.vars, load, fleet, RATE], ONE: !reference [.vars, one]}
""")
    assert view.variables() == {"RATE": "300", "RATE_LIMIT": "300", "ONE": "5"}
    assert view.hits == []


def test_a_reference_sees_what_extends_has_made(read: Any) -> None:
    view = read("""
.a: {script: [a]}
.b: {extends: .a}
job: {script: [!reference [.b, script]]}
""")
    assert view.script() == ["a"]


def test_references_follow_references(read: Any) -> None:
    view = read("""
.a: {script: [a]}
.b: {script: [!reference [.a, script], b]}
.c: {script: !reference [.b, script]}
job: {script: [!reference [.c, script], c], rules: !reference [.r, rules]}
.r: {rules: [{if: $X, variables: {RATE: 1}}]}
""")
    assert view.script() == ["a", "b", "c"]
    assert [list(arm.variables) for arm in view.job().arms] == [["RATE"]]


def nested(levels: int) -> str:
    lines = [".s1: [echo]", *(f".s{n}: [!reference [.s{n - 1}]]" for n in range(2, levels))]
    return "\n".join([*lines, f"job:\n  script:\n    - !reference [.s{levels - 1}]\n"])


def test_lists_in_a_script_nest_ten_levels(read: Any) -> None:
    view = read(nested(10))
    assert (view.hits, view.script()) == ([], ["echo"])


def test_and_not_eleven(read: Any) -> None:
    view = read(nested(11))
    assert [code for code, _ in view.hits] == ["BL002"]
    assert "10 levels" in view.messages


def test_a_long_chain_of_references_ends(read: Any) -> None:
    view = read(nested(5_000))
    assert "BL002" in [code for code, _ in view.hits]


@pytest.mark.parametrize("path", ["[.nowhere, script]", "[.setup, nothing]", "[.setup, script, deeper]", "[]", "x"])
def test_a_dead_end_is_a_finding(read: Any, path: str) -> None:
    view = read(f".setup: {{script: [a]}}\njob:\n  script:\n    - !reference {path}\n    - b\n")
    if path == "x":  # on a scalar the tag means nothing to YAML's reader
        assert view.script() == ["x", "b"]
        return
    assert view.hits == [("BL002", 4)]
    assert view.script() == ["b"]
    assert view.job().partial


@pytest.mark.parametrize(
    "text",
    [
        ".a: {script: [!reference [.a, script]]}\njob: {script: [!reference [.a, script], b]}",
        ".a: {script: [!reference [.b, script]]}\n.b: {script: [!reference [.a, script]]}\njob: {script: [b]}",
        "job: {script: [!reference [job, script], b]}",
        "job: {script: [b], variables: !reference [job]}",
    ],
)
def test_a_circle_is_a_finding(read: Any, text: str) -> None:
    view = read(text)
    assert {code for code, _ in view.hits} == {"BL002"}
    assert "leads back to itself" in view.messages
    assert set(view.script("job")) == {"b"}


def test_a_bomb_of_references_is_refused_in_bounded_time(read: Any) -> None:
    lines = [".b0: [x]", *(f".b{n}: [{', '.join([f'!reference [.b{n - 1}]'] * 20)}]" for n in range(1, 9))]
    view = read("\n".join([*lines, "job: {script: [!reference [.b8]]}"]))
    assert [code for code, _ in view.hits] == ["BL002"]
    assert "expands to more than" in view.messages
