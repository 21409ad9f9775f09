"""`extends` merges as GitLab does, and what GitLab refuses is a finding, in bounded time."""

from typing import Any

import pytest


def test_parents_merge_from_left_to_right_and_the_job_wins(read: Any) -> None:
    view = read("""
.a: {variables: {A: a, B: a, C: a}, script: [a], image: a}
.b: {variables: {B: b, C: b}, script: [b]}
job: {extends: [.a, .b], variables: {C: job}}
""")
    assert view.variables() == {"A": "a", "B": "b", "C": "job"}
    assert view.script() == ["b"]
    assert view.job().image.text == "a"
    assert view.hits == []


def test_lists_are_replaced_and_empty_mappings_keep_the_parents_keys(read: Any) -> None:
    view = read("""
.a: {variables: {A: a}, script: [one, two], tags: [x]}
job: {extends: .a, variables: {}, script: [three]}
""")
    assert view.variables() == {"A": "a"}
    assert view.script() == ["three"]


def test_null_removes(read: Any) -> None:
    view = read("""
.a: {variables: {A: a}, script: [one], before_script: [b], parallel: 3}
job: {extends: .a, variables: null, before_script: ~, parallel: null}
""")
    assert view.variables() == {}
    assert view.script() == ["one"]
    assert view.job().instances == 1


def test_a_matrix_is_replaced_and_not_merged(read: Any) -> None:
    view = read("""
.a: {parallel: {matrix: [{A: [1, 2, 3]}]}, script: [x]}
job: {extends: .a, parallel: {matrix: [{B: [1]}]}}
""")
    assert view.job().matrix == ({"B": "1"},)


def test_a_job_may_extend_another_job_through_several_levels(read: Any) -> None:
    view = read("""
.a: {script: [a], stage: build}
b: {extends: .a, stage: deploy}
c: {extends: b}
""")
    assert (view.script("c"), view.job("c").stage) == (["a"], "deploy")


def chain(levels: int) -> str:
    lines = [".p0: {script: [x], resource_group: g}"]
    lines += [f".p{n}: {{extends: .p{n - 1}}}" for n in range(1, levels)]
    return "\n".join([*lines, f"job: {{extends: .p{levels - 1}}}"])


def test_ten_levels_of_parents_are_allowed(read: Any) -> None:
    view = read(chain(10))
    assert view.hits == []
    assert view.job().group == "g"


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("levels", [11, 500, 10_000])
def test_more_levels_of_parents_are_not(read: Any, levels: int, reverse: bool) -> None:
    lines = chain(levels).split("\n")
    view = read("\n".join(reversed(lines) if reverse else lines))
    assert ("BL002", (1 if reverse else 12)) in view.hits
    assert "more than 10 levels" in view.messages
    assert len(view.hits) < 2 + levels / 10


def test_an_unknown_parent_is_a_finding(read: Any) -> None:
    view = read("job:\n  extends: .nowhere\n  script: [x]\n")
    assert view.hits == [("BL002", 2)]
    assert "`.nowhere`" in view.messages
    assert view.script() == ["x"]


def test_a_template_that_nobody_uses_must_be_right_too(read: Any) -> None:
    assert read(".t: {extends: .nowhere}\njob: {script: [x]}\n").hits == [("BL002", 1)]


def test_a_parent_that_is_no_mapping_is_a_finding(read: Any) -> None:
    assert read(".t: [x]\njob: {extends: .t, script: [x]}\n").hits == [("BL002", 2)]


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_a_circle_is_one_finding_that_shows_it(read: Any, count: int) -> None:
    lines = [f".j{n}: {{extends: .j{(n + 1) % count}, script: [x]}}" for n in range(count)]
    view = read("\n".join(lines))
    assert [code for code, _ in view.hits] == ["BL002"]
    assert ".j0 → " in view.messages
    assert "circle" in view.messages


def test_many_parents_on_many_levels_take_no_time(read: Any) -> None:
    levels = [f".l{level}: {{extends: [{', '.join([f'.l{level - 1}'] * 10)}]}}" for level in range(1, 10)]
    view = read("\n".join([".l0: {script: [x]}", *levels, "job: {extends: .l9}"]))
    assert view.script() == ["x"]


def test_two_bombs_of_aliases_merge_in_no_time(read: Any) -> None:
    def bomb(name: str) -> str:
        lines = [f"  a0: &{name}0 {{x: 1}}"]
        lines += [f"  a{n}: &{name}{n} {{x: *{name}{n - 1}, y: *{name}{n - 1}}}" for n in range(1, 60)]
        return f".{name}:\n" + "\n".join(lines)

    view = read(f"{bomb('s')}\n{bomb('t')}\njob:\n  extends: [.s, .t]\n  script: [x]\n")
    assert view.script() == ["x"]
