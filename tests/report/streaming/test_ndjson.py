"""One line for each attempt: what it says, and what it must not say."""

import json

import pytest

from burstctl.attempt import Answer, Attempt, Failure, Fault
from burstctl.plan import Request
from burstctl.report.registry import load_streaming, streaming_names
from burstctl.report.streaming.ndjson import SCHEMA, Writer
from burstctl.secret import Redactor

START_S = 1000.0
HEADERS = (("X-Request-Id", "abc-7"), ("authorization", "Bearer sesame-123"))
REQUEST = Request(7, "golden", "POST", "/", HEADERS, row=3)


def attempt(answer: Answer, number: int = 1) -> Attempt:
    return Attempt(7, "golden", number, 12, START_S + 0.05, answer)


def read(given: Attempt, failure: Failure | None = None, redactor: Redactor | None = None) -> dict[str, object]:
    line = Writer(START_S, redactor or Redactor(())).line(REQUEST, given, failure, START_S + 0.02)
    assert line.isascii()
    assert line.isprintable()
    entry = json.loads(line)
    assert isinstance(entry, dict)
    return entry


def test_a_line_says_which_request_when_and_what_came_back() -> None:
    entry = read(attempt(Answer(START_S + 0.1, START_S + 0.09, 200)))
    assert entry == {
        "schema": SCHEMA,
        "index": 7,
        "id": "abc-7",
        "name": "golden",
        "row": 3,
        "attempt": 1,
        "due_s": 0.02,
        "sent_s": 0.05,
        "done_s": 0.1,
        "wait_ms": 30.0,
        "latency_ms": 50.0,
        "ttfb_ms": 40.0,
        "status": 200,
        "fault": None,
        "succeeded": True,
        "cause": None,
    }


@pytest.mark.parametrize(
    ("given", "failure", "expected"),
    [
        (
            attempt(Answer(START_S + 1, fault=Fault.CONNECT), number=2),
            Failure("connect: refused"),
            {"status": None, "fault": "connect", "ttfb_ms": None, "wait_ms": None, "cause": "connect: refused"},
        ),
        (
            attempt(Answer(START_S + 1, START_S + 0.5, 200, fault=Fault.RESET)),
            Failure("reset"),
            {"status": None, "fault": "reset", "ttfb_ms": 450.0, "succeeded": False},
        ),
        (
            attempt(Answer(START_S + 1, START_S + 1, 503)),
            Failure("status 503", "an answer's own words"),
            {"status": 503, "fault": None, "succeeded": False, "cause": "status 503"},
        ),
    ],
    ids=["no connection", "broken off", "not as expected"],
)
def test_a_failure_is_a_status_or_a_fault(given: Attempt, failure: Failure, expected: dict[str, object]) -> None:
    entry = read(given, failure)
    assert {key: entry[key] for key in expected} == expected
    assert "own words" not in str(entry)


def test_neither_the_runs_secrets_nor_a_rows_own_are_told() -> None:
    failure = Failure("json.token: found sesame-123 and canary-9", "sesame-123")
    entry = read(attempt(Answer(START_S + 1, START_S + 1, 200)), failure, Redactor(["canary-9"]))
    assert entry["cause"] == "json.token: found *** and ***"


def test_a_servers_text_is_bounded_and_inert() -> None:
    failure = Failure("status 500 \x1b[31m\r\n::error::\u202e \ud800" + "x" * 10_000)
    entry = read(attempt(Answer(START_S + 1, START_S + 1, 500)), failure)
    assert len(str(entry["cause"])) <= 200


def test_it_is_found_by_its_name() -> None:
    assert "ndjson" in streaming_names()
    assert [load_streaming(name).NAME for name in streaming_names()] == streaming_names()
