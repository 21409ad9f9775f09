"""Which requests of an earlier run failed, read from either of its logs, whole or cut off."""

import json
from pathlib import Path

import pytest

from burstctl.errors import UsageError
from burstctl.record.earlier import read_failed


def answer(index: int, outcome: str) -> str:
    return json.dumps({"index": index, "name": "a", "outcome": outcome}) + "\n"


def attempt(index: int, number: int, *, succeeded: bool) -> str:
    return json.dumps({"index": index, "name": "a", "attempt": number, "succeeded": succeeded}) + "\n"


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("", {}),
        (answer(1, "failed") + answer(2, "succeeded"), {1: "a"}),
        (attempt(1, 1, succeeded=False) + attempt(2, 1, succeeded=True) + attempt(1, 2, succeeded=True), {}),
        (attempt(1, 1, succeeded=False) + attempt(1, 2, succeeded=False) + "\n", {1: "a"}),
        (answer(1, "failed") + answer(2, "failed")[:10], {1: "a"}),
        (attempt(1, 1, succeeded=False) + attempt(1, 2, succeeded=True)[:-1], {}),
    ],
    ids=["nothing", "answers", "tried again", "in vain", "cut off", "cut off at its end"],
)
def test_the_last_word_on_a_request_holds(tmp_path: Path, text: str, failed: dict[int, str]) -> None:
    (tmp_path / "log").write_text(text)
    assert read_failed(str(tmp_path / "log")) == failed


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[1]",
        "7",
        '{"index": 1, "name": "a"}',
        '{"index": "1", "name": "a", "succeeded": true}',
        '{"index": 1, "name": "a", "succeeded": "yes"}',
        '{"index": 1, "name": "a", "outcome": ["failed"]}',
        "[" * 100_000,
    ],
)
def test_a_line_of_something_else_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "log").write_text(answer(1, "failed") + line + "\n" + answer(2, "failed"))
    with pytest.raises(UsageError, match=":2: not a line of a --responses or ndjson file"):
        read_failed(str(tmp_path / "log"))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_failed(str(tmp_path / "log"))
    (tmp_path / "log").write_bytes(b"\xff\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_failed(str(tmp_path / "log"))
