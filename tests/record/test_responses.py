"""The log of answers: whole lines, private, without secrets, and good enough to repeat what failed."""

import json
import os
import stat
from pathlib import Path

from burstctl.attempt import Answer, Attempt, Failure
from burstctl.outcome import Outcome
from burstctl.plan import Request
from burstctl.record.earlier import read_failed
from burstctl.record.responses import ResponseLog
from burstctl.secret import Redactor

REQUEST = Request(7, "golden", "POST", "/", (("X-Request-Id", "abc-7"),), row=3)


def outcome(index: int, body: bytes, failure: Failure | None = None, status: int = 200) -> Outcome:
    attempt = Attempt(index, "golden", 1, 0, 1.0, Answer(1.1, 1.05, status, body=body))
    return Outcome(index, "golden", 1.0, 1.1, 1, 1.0, attempt, failure, row=3)


def test_a_line_says_which_request_and_what_came_back(tmp_path: Path) -> None:
    path = tmp_path / "answers.ndjson"
    log = ResponseLog(str(path), Redactor(["sesame-123"]))
    log.add(REQUEST, outcome(7, b'{"label": "ok", "key": "sesame-123"}'))
    log.add(REQUEST, outcome(8, b"\xff plain", Failure("status 500"), 500))
    log.add(REQUEST, outcome(9, b'{"half": "\\ud800"}'))
    log.close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0] == {
        "index": 7,
        "id": "abc-7",
        "name": "golden",
        "row": 3,
        "outcome": "succeeded",
        "cause": None,
        "example": None,
        "attempts": 1,
        "status": 200,
        "body": {"label": "ok", "key": "***"},
    }
    assert (lines[1]["outcome"], lines[1]["status"], lines[1]["body"]) == ("failed", 500, "\\xff plain")
    assert lines[2]["body"] == {"half": "\ud800"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_failed(str(path)) == {8: "golden"}


def test_several_may_write_to_one_file_in_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "answers.ndjson"
    logs = [ResponseLog(str(path), Redactor(())), ResponseLog(str(path), Redactor(()), joined=True)]
    for index in range(200):
        body = b'"%s"' % (b"x" * (37 * index % 5000))
        logs[index % 2].add(REQUEST, outcome(index, body))
    for log in logs:
        log.close()
    assert sorted(json.loads(line)["index"] for line in path.read_text().splitlines()) == list(range(200))
    assert [log.error for log in logs] == [None, None]


def test_a_symbolic_link_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "log").symlink_to(victim)
    ResponseLog(str(tmp_path / "log"), Redactor(())).close()
    assert victim.read_text() == "precious"


def test_a_number_that_json_cannot_carry_is_kept_as_text(tmp_path: Path) -> None:
    log = ResponseLog(str(tmp_path / "log"), Redactor(()))
    log.add(REQUEST, outcome(1, b'{"score": 1e999}'))
    log.add(REQUEST, outcome(2, b'{"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"))
    log.close()
    assert log.error is None
    first, second = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert first["body"] == '{"score": 1e999}'
    assert isinstance(second["body"], str)


def test_a_secret_is_masked_however_a_server_escapes_it(tmp_path: Path) -> None:
    log = ResponseLog(str(tmp_path / "log"), Redactor(["abc/def=="]))
    log.add(REQUEST, outcome(1, b'{"token": "abc\\/def\\u003d\\u003d"}'))
    mine = Request(2, "golden", "POST", "/", (("Authorization", "Bearer row-canary"), ("x-request-id", "r")), row=1)
    log.add(mine, outcome(2, b'{"echo": ["Bearer row-canary"]}'))
    log.close()
    text = (tmp_path / "log").read_text()
    assert "def" not in text
    assert "canary" not in text


def test_a_pipe_stays_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    log = ResponseLog(str(tmp_path / "pipe"), Redactor(()))
    log.add(REQUEST, outcome(1, b"{}"))
    log.close()
    assert json.loads(os.read(reader, 1000))["index"] == 1
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
