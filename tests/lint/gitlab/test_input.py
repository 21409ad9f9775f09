"""`$[[ inputs.x ]]` is replaced as GitLab does, and places in the file stay true."""

from typing import Any

import pytest


def included(read: Any, spec: str, body: str, given: str = "{}") -> Any:
    return read(
        f"include: [{{local: a.yml, inputs: {given}}}]\n", {"a.yml": f"spec: {{inputs: {spec}}}\n---\n{body}\n"}
    )


def test_given_values_and_defaults(read: Any) -> None:
    view = included(
        read,
        "{rate: {default: 5}, name: , list: {type: array}, n: {type: number, default: 2}}",
        '"$[[ inputs.name ]]-load":\n  parallel: $[[ inputs.n ]]\n  script: $[[ inputs.list ]]\n'
        "  variables: {RATE: $[[ inputs.rate ]], TEXT: 'at $[[inputs.rate]]/s for $[[ inputs.name ]]'}",
        "{name: big, list: [one, two]}",
    )
    assert view.names == ["big-load"]
    assert view.script() == ["one", "two"]
    assert view.job().instances == 2
    assert view.variables() == {"RATE": "5", "TEXT": "at 5/s for big"}
    assert view.hits == []


def test_a_value_is_put_in_before_yaml_is_read(read: Any) -> None:
    body = "job: {script: [x], variables: {A: $[[ inputs.r ]], B: '$[[ inputs.r ]]'}}"
    assert included(read, "{r: }", body, "{r: '0300'}").variables() == {"A": "192", "B": "0300"}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("$[[ inputs.x | expand_vars ]]", "ab cd"),
        ("$[[ inputs.x | truncate(1,3) ]]", "b c"),
        ("$[[ inputs.x | posix_escape ]]", "'ab cd'"),
        ("$[[ inputs.x | expand_vars | truncate(0,2) ]]", "ab"),
        ("$[[ inputs.map.k ]]", "v"),
        ("$[[ inputs.list[1] ]]", "two"),
    ],
)
def test_functions_and_paths(read: Any, expression: str, expected: str) -> None:
    view = included(
        read,
        "{x: {default: ab cd}, map: {default: {k: v}}, list: {default: [one, two]}}",
        f"job: {{script: ['{expression}']}}",
    )
    assert view.script() == [expected]


def test_what_nobody_can_know_is_unknown(read: Any) -> None:
    text = (
        "spec: {inputs: {rate: }}\n---\njob: {script: ['run $[[ inputs.rate ]]'], variables: {R: $[[ inputs.rate ]]}}\n"
    )
    view = read(text)
    assert view.variables() == {"R": None}
    assert view.script() == ["run $inputs_rate"]
    assert view.hits == []


def test_whoever_starts_the_pipeline_may_type_an_input_of_the_root_file(read: Any) -> None:
    view = read("""
spec:
  inputs:
    free: {default: 5}
    bound: {default: 5, options: [5, 10]}
---
job: {script: [x], variables: {A: $[[ inputs.free ]], B: $[[ inputs.bound ]]}}
""")
    asked = {name: one.asked for name, one in view.job().variables.items()}
    assert asked == {"A": True, "B": False}


def test_an_include_must_give_what_has_no_default(read: Any) -> None:
    view = included(read, "{rate: }", "job: {script: [x]}")
    assert view.hits == [("BL002", 1)]
    assert "`rate`" in view.messages


def test_an_unknown_input_is_a_finding(read: Any) -> None:
    assert "names no input" in included(read, "{a: {default: 1}}", "job: {script: ['$[[ inputs.b ]]']}").messages


def test_without_a_header_nothing_is_replaced(read: Any) -> None:
    assert read("job: {script: ['echo $[[ inputs.x ]]']}").script() == ["echo $[[ inputs.x ]]"]


def test_places_stay_true_behind_a_replaced_piece(read: Any) -> None:
    view = read("""spec:
  inputs:
    url: {default: https://a.very.long.host.example.com/v1/completions}
---
job:
  script:
    - |
      echo $[[ inputs.url ]] one
      curl $[[ inputs.url ]] && hey
""")
    (script,) = view.job().scripts
    start = script.text.index("hey")
    span = script.locate(start, start + 3)
    assert (span.text, span.begins.line) == ("hey", 9)
    start = script.text.rindex("https://")
    assert script.locate(start, start + 20).text == "$[[ inputs.url ]]"
    start = script.text.index("curl")
    assert script.locate(start, start + 4).text == "curl"


def test_one_file_may_be_included_twice_with_different_inputs(read: Any) -> None:
    view = read(
        "include:\n  - {local: a.yml, inputs: {n: x}}\n  - {local: a.yml, inputs: {n: y}}\n",
        {"a.yml": "spec: {inputs: {n: }}\n---\n'job-$[[ inputs.n ]]': {script: ['$[[ inputs.n ]]']}\n"},
    )
    assert {name: view.script(name) for name in view.names} == {"job-x": ["x"], "job-y": ["y"]}


def test_brackets_of_an_expression_are_no_list(read: Any) -> None:
    view = included(read, "{r: {default: 7}}", "job: {script: [echo $[[ inputs.r ]]], variables: {A: $[[ inputs.r ]]}}")
    assert view.script() == ["echo 7"]
    assert view.variables() == {"A": "7"}


def test_a_job_named_spec_is_no_header(read: Any) -> None:
    assert read("spec: {script: ['$[[ inputs.x ]]']}\n---\na: 1\n", path="x.yml").pipeline.jobs == ()
    assert read("job: {script: ['echo $[[ inputs.x ]]']}\nspec: 1\n").script() == ["echo $[[ inputs.x ]]"]


def test_a_third_document_is_a_finding_and_a_second_without_header_is_not_read(read: Any) -> None:
    assert read("spec: {}\n---\na: {script: [x]}\n---\nb: {}\n").hits == [("BL002", 5)]
    assert read("a: {script: [x]}\n---\nb: {script: [x]}\n").names == ["a"]


def test_a_bomb_of_inputs_is_refused_in_bounded_time(read: Any) -> None:
    files = {}
    for n in range(60):
        give = "{v: ['$[[ inputs.v ]]x$[[ inputs.v ]]', $[[ inputs.v ]], $[[ inputs.v ]]]}"
        files[f"f{n}.yml"] = f"spec: {{inputs: {{v: }}}}\n---\ninclude: [{{local: f{n + 1}.yml, inputs: {give}}}]\n"
    files["f60.yml"] = "spec: {inputs: {v: }}\n---\njob: {script: [$[[ inputs.v ]]]}\n"
    view = read("include: [{local: f0.yml, inputs: {v: [a, b]}}]\n", files)
    assert {code for code, _ in view.hits} == {"BL002"}


def test_a_text_that_doubles_again_and_again_is_refused(read: Any) -> None:
    files = {}
    for n in range(60):
        files[f"f{n}.yml"] = (
            f"spec: {{inputs: {{v: }}}}\n---\ninclude:\n"
            f"  - local: f{n + 1}.yml\n    inputs: {{v: '$[[ inputs.v ]]$[[ inputs.v ]]'}}\n"
        )
    files["f60.yml"] = "spec: {inputs: {v: }}\n---\njob: {script: ['$[[ inputs.v ]]']}\n"
    view = read("include: [{local: f0.yml, inputs: {v: abcdefghij}}]\n", files)
    assert [code for code, _ in view.hits] == ["BL002"]
    assert "expands" in view.messages
