"""Every expectation is answered for: what was asked, what was seen, and where JSON differs."""

import json
import time

import pytest

from burstctl.attempt import Answer
from burstctl.examine import Check, examine
from burstctl.expect import Expect, Statuses, find_mismatch


def answer(body: object = None, status: int = 200, **headers: str) -> Answer:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(1.0, 0.5, status, headers=named, body=json.dumps(body).encode())


FULL = Expect(
    status=Statuses("200, 404", frozenset({200, 404})),
    json={"label": "good", "scores": [1, {"x": 2}]},
    has_json=True,
    headers=(("x-model", "bert"),),
    max_latency_s=0.1,
)


def test_all_conditions_are_checked_even_behind_one_that_is_not_met() -> None:
    checks = list(examine(FULL, answer({"label": "bad"}, 500, x_model="gpt"), 0.25))
    assert [(check.condition, check.met) for check in checks] == [
        ("status 200, 404", False),
        ("header x-model", False),
        ("json", False),
        ("max_latency 100 ms", False),
    ]
    assert [checks[0].seen, checks[1].seen, checks[3].seen] == ["500", 'expected "bert", found "gpt"', "250 ms"]


def test_what_is_met_is_shown_as_well() -> None:
    checks = list(
        examine(FULL, answer({"label": "good", "scores": [1, {"x": 2, "y": 3}], "z": 0}, x_model="bert"), 0.1)
    )
    assert all(check.met and not check.difference for check in checks)
    assert checks[2] == Check("json", "as expected", met=True)


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        ({"label": "bad", "scores": [1, {"x": 2}]}, {'-  "label": "good",', '+  "label": "bad",'}),
        ({"label": "good", "scores": [1, {"x": True, "more": 1}]}, {'-      "x": 2', '+      "x": true'}),
        ({"label": "good", "scores": [1.0, {}]}, {"-    {", '-      "x": 2', "-    }", "+    {}"}),
        ("text", {'+"text"'}),
    ],
)
def test_the_difference_is_in_what_was_asked_for_and_nothing_else(found: object, lines: set[str]) -> None:
    difference = list(examine(Expect(json=FULL.json, has_json=True), answer(found), 0.1))[1].difference
    assert difference[:2] == ("--- expected", "+++ answered")
    changed = {line for line in difference[2:] if line[0] in "+-"}
    assert lines <= changed
    assert not any("more" in line for line in changed)
    if found != "text":
        assert changed == lines


def test_a_huge_answer_is_compared_in_no_time() -> None:
    given = answer([{"x": i} for i in range(200_000)])
    begun = time.monotonic()
    difference = list(examine(Expect(json=[{"y": i} for i in range(1000)], has_json=True), given, 0.1))[1].difference
    assert time.monotonic() - begun < 5
    assert 500 < len(difference) < 1100
    assert difference[-1] in (" …", "+…")


def test_a_body_that_is_no_json_has_no_difference() -> None:
    check = list(examine(Expect(json={}, has_json=True), Answer(1.0, 0.5, 200, body=b"<html>"), 0.1))[1]
    assert (check.met, check.difference) == (False, ())
    assert check.seen == "the body is not valid JSON: <html>"


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("model", ["bert", "gpt"])
@pytest.mark.parametrize("label", ["good", "bad"])
@pytest.mark.parametrize("latency_s", [0.1, 0.2])
def test_it_agrees_with_the_gate(status: int, model: str, label: str, latency_s: float) -> None:
    given = answer({"label": label, "scores": [1, {"x": 2}]}, status, x_model=model)
    met = all(check.met for check in examine(FULL, given, latency_s))
    assert met is (find_mismatch(FULL, given, latency_s) is None)
