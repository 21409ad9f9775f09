"""An answer is held against what was expected; a difference is named so that it can be grouped and understood."""

import json

import pytest

from burstctl.attempt import Answer
from burstctl.expect import DEFAULT_EXPECT, Expect, Statuses, excerpt, find_mismatch


def answer(status: int = 200, body: bytes = b"", **headers: str) -> Answer:
    return Answer(1.0, 0.5, status, headers=tuple(headers.items()), body=body)


@pytest.mark.parametrize("status", [200, 201, 299])
def test_any_2xx_is_good_by_default(status: int) -> None:
    assert find_mismatch(DEFAULT_EXPECT, answer(status), 1.0) is None


@pytest.mark.parametrize("status", [199, 301, 404, 503])
def test_any_other_status_is_named_with_the_start_of_the_body(status: int) -> None:
    mismatch = find_mismatch(DEFAULT_EXPECT, answer(status, b"queue\n full\x1b[31m"), 1.0)
    assert mismatch is not None
    assert mismatch.cause == f"status {status}"
    assert mismatch.example == r"queue full\x1b[31m"


def test_a_status_can_be_asked_for() -> None:
    expect = Expect(Statuses("404", frozenset({404})))
    assert find_mismatch(expect, answer(404), 1.0) is None
    assert find_mismatch(expect, answer(200), 1.0) is not None


BODY = {"label": "ok", "scores": [0.9, 0.1], "more": {"a": 1, "b": None}, "flag": True}


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"label": "ok"},
        {"scores": [0.9, 0.1]},
        {"more": {"a": 1}},
        {"more": {"b": None}},
        {"flag": True},
        BODY,
        {"more": {"a": 1.0}},
    ],
)
def test_json_needs_to_be_contained(expected: object) -> None:
    assert find_mismatch(Expect(json=expected, has_json=True), answer(body=json.dumps(BODY).encode()), 1.0) is None


@pytest.mark.parametrize(
    ("expected", "cause", "example"),
    [
        ({"label": "bad"}, "json $.label is not as expected", 'expected "bad", found "ok"'),
        ({"more": {"c": 1}}, "json $.more.c is not as expected", "expected 1, found nothing"),
        ({"scores": [0.9, 0.2]}, "json $.scores[1] is not as expected", "expected 0.2, found 0.1"),
        ({"scores": [0.9]}, "json $.scores is not as expected", "expected [0.9], found [0.9, 0.1]"),
        ({"flag": 1}, "json $.flag is not as expected", "expected 1, found true"),
        ({"more": {"a": True}}, "json $.more.a is not as expected", "expected true, found 1"),
        ([], "json $ is not as expected", "expected []"),
        (None, "json $ is not as expected", "expected null"),
    ],
)
def test_the_first_difference_is_named_by_its_path(expected: object, cause: str, example: str) -> None:
    mismatch = find_mismatch(Expect(json=expected, has_json=True), answer(body=json.dumps(BODY).encode()), 1.0)
    assert mismatch is not None
    assert mismatch.cause == cause
    assert mismatch.example.startswith(example)


@pytest.mark.parametrize(("body", "example"), [(b"", "it is empty"), (b"<html>", "<html>"), (b"NaN", "NaN")])
def test_a_body_that_is_no_json(body: bytes, example: str) -> None:
    mismatch = find_mismatch(Expect(json={}, has_json=True), answer(body=body), 1.0)
    assert mismatch is not None
    assert (mismatch.cause, mismatch.example) == ("the body is not valid JSON", example)


def test_headers_must_be_equal_in_one_of_their_lines() -> None:
    expect = Expect(headers=(("x-model", "bert"),))
    several = Answer(1.0, 0.5, 200, headers=(("x-model", "other"), ("x-model", " bert ")))
    assert find_mismatch(expect, several, 1.0) is None
    mismatch = find_mismatch(expect, answer(), 1.0)
    assert mismatch is not None
    assert mismatch.example == 'expected "bert", found nothing'


def test_an_answer_may_be_asked_to_be_quick() -> None:
    expect = Expect(max_latency_s=0.2)
    assert find_mismatch(expect, answer(), 0.2) is None
    mismatch = find_mismatch(expect, answer(), 0.3)
    assert mismatch is not None
    assert (mismatch.cause, mismatch.example) == ("slower than max_latency 200 ms", "300 ms")


def test_only_a_json_expectation_reads_the_body() -> None:
    assert Expect(has_json=True).reads_body
    assert not DEFAULT_EXPECT.reads_body


def test_an_excerpt_is_one_printable_line() -> None:
    shown = excerpt(b"a\r\nb\t\x00\xff" + b"x" * 5000)
    assert shown.startswith(r"a b \x00\xff")
    assert shown.endswith("…")
    assert shown.isprintable()


def test_a_word_that_is_cut_off_after_many_blanks_is_not_shown() -> None:
    assert excerpt(b"token " + b" " * 4085 + b"secret-canary" * 30) == "token …"
