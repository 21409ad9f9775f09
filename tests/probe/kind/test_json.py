"""A number is found in a JSON document while the document changes, and nothing else is taken for one."""

from collections.abc import Callable
from typing import Any

import pytest

from burstctl.probe.probe import ProbeError, Reading

Ask = Callable[..., list[float | str]]


def test_json_by_pointer_while_the_document_changes(ask: Ask, answering: Callable[..., Any]) -> None:
    documents = (
        b'{"a/b": [{"queue": 3}]}',
        b'{"a/b": [{"queue": "4.5"}]}',
        b'{"a/b": [{"queue": [1, 2]}]}',
        b'{"a/b": [{"queue": -1.5e-3}]}',
        b'\xef\xbb\xbf{"a/b": [{"queue": 6}]}',
        b"{}",
    )
    assert ask(answering(*documents), "json", 7, pointer="/a~1b/0/queue") == [
        3, 4.5, 2, -0.0015, 6, "nothing stands at /a~1b/0/queue", "nothing stands at /a~1b/0/queue",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", "status 503"),
        (
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/?token=x\r\nContent-Length: 0\r\n\r\n",
            "status 302: redirects are not followed",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n1", "TimeoutError"),
        (b"HTTP/1.1 OK 200\r\n\r\n", "protocol: the answer is not valid HTTP"),
        (b'{"queue": true}', "what stands at /queue is no number"),
        (b'{"queue": null}', "what stands at /queue is no number"),
        (b'{"queue": {"a": 1}}', "what stands at /queue is no number"),
        (b'{"queue": NaN}', "what stands at /queue is no number"),
        (b'{"queue": -Infinity}', "what stands at /queue is no number"),
        (b'{"queue": "1_000"}', "what stands at /queue is no number"),
        (b'{"queue": 1e999}', "what stands at /queue is no number"),
        (b'{"queue": 1' + b"0" * 400 + b"}", "what stands at /queue is no number"),
        (b'{"queue": 1' + b"0" * 9000 + b"}", "the answer is not valid JSON"),
        (b"<html>", "the answer is not valid JSON"),
        (b"", "the answer is not valid JSON"),
        (b'"\xff"', "the answer is not valid JSON"),
        (b"[" * 100_000, "the answer is not valid JSON"),
        (b'{"queue": 1, "x": "' + b"x" * 2**21 + b'"}', "too_large: the body is larger than 1,048,576 bytes"),
    ],
)
def test_answers_of_no_use_are_told(ask: Ask, answering: Callable[..., Any], answer: bytes, said: str) -> None:
    assert ask(answering(answer), "json", 1, pointer="/queue") == [said]


def test_a_dead_server_and_a_slow_one(
    ask: Ask, answering: Callable[..., Any], read: Callable[..., list[Reading]]
) -> None:
    with pytest.raises(ProbeError, match="connect: connection refused"):
        read("json", url="http://127.0.0.1:1/", pointer="")
    assert ask(answering(b"1", pause_s=30), "json", 1, pointer="") == ["TimeoutError"]


def test_after_a_reading_that_was_given_up_the_next_one_gets_its_own_answer(
    ask: Ask, answering: Callable[..., Any]
) -> None:
    """What was late must not be taken for what is new."""
    slow_then_quick = [b"1", b"2", b"3"]
    found = ask(answering(*slow_then_quick, pause_s=0.3), "json", 3, within_s=0.2, pointer="")
    assert found == ["TimeoutError"] * 3


def test_a_url_that_is_none_is_an_error_of_its_probe_only(read: Callable[..., list[Reading]]) -> None:
    with pytest.raises(ProbeError, match="the URL can't be used"):
        read("json", url="http://[::1/", pointer="")
