"""What goes on the wire is what was asked for, and nothing that would break the framing goes there at all."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.send.http1.wire import Header, RequestEncoder

Headers = list[tuple[bytes, bytes]]


@pytest.mark.parametrize(
    ("method", "headers", "body", "wire"),
    [
        ("GET", [], b"", b"GET /a?b=%20 HTTP/1.1\r\nHost: h:1\r\n\r\n"),
        ("DELETE", [(b"X-A", b"1")], b"", b"DELETE /a?b=%20 HTTP/1.1\r\nHost: h:1\r\nX-A: 1\r\n\r\n"),
        ("POST", [], b"", b"POST /a?b=%20 HTTP/1.1\r\nHost: h:1\r\nContent-Length: 0\r\n\r\n"),
        ("GET", [], b"hi", b"GET /a?b=%20 HTTP/1.1\r\nHost: h:1\r\nContent-Length: 2\r\n\r\nhi"),
        ("POST", [(b"HOST", b"x")], b"hi", b"POST /a?b=%20 HTTP/1.1\r\nHOST: x\r\nContent-Length: 2\r\n\r\nhi"),
        (
            "PUT",
            [(b"Host", b"x"), (b"content-length", b"2"), (b"X", b"1"), (b"X", b"\xe4\t2")],
            b"hi",
            b"PUT /a?b=%20 HTTP/1.1\r\nHost: x\r\ncontent-length: 2\r\nX: 1\r\nX: \xe4\t2\r\n\r\nhi",
        ),
    ],
)
def test_a_request_is_encoded(method: str, headers: Headers, body: bytes, wire: bytes) -> None:
    encoder = RequestEncoder(b"h:1")
    assert [encoder.encode(method, "/a?b=%20", headers, body) for _ in range(2)] == [wire] * 2


@pytest.mark.parametrize(
    ("method", "target", "headers"),
    [
        ("", "/", []),
        ("GET /x HTTP/1.1\r\n", "/", []),
        ("GÉT", "/", []),
        ("CONNECT", "/", []),
        ("GET", "", []),
        ("GET", "/ HTTP/1.1\r\nx: y", []),
        ("GET", "/é", []),
        ("GET", "/\x7f", []),
        ("GET", "/", [(b"", b"x")]),
        ("GET", "/", [(b"a b", b"x")]),
        ("GET", "/", [(b"a:", b"x")]),
        ("GET", "/", [(b"a\r\nb", b"x")]),
        ("GET", "/", [(b"a", b"x\ny")]),
        ("GET", "/", [(b"a", b"x\0")]),
        ("GET", "/", [(b"Content-Length", b"3")]),
        ("GET", "/", [(b"Host", b"a"), (b"host", b"b")]),
        ("GET", "/", [(b"Transfer-Encoding", b"chunked")]),
    ],
)
def test_what_breaks_the_framing_is_refused(method: str, target: str, headers: Headers) -> None:
    encoder = RequestEncoder(b"h")
    for _ in range(2):
        with pytest.raises(httpx.LocalProtocolError):
            encoder.encode(method, target, headers, b"")


@given(
    st.text(max_size=5),
    st.text(max_size=9),
    st.lists(
        st.tuples(st.binary(max_size=5), st.binary(max_size=9)) | st.tuples(st.text(max_size=5), st.text(max_size=9))
    ),
)
def test_no_input_adds_a_line_of_its_own(method: str, target: str, headers: list[Header]) -> None:
    try:
        wire = RequestEncoder(b"h").encode(method, target, headers, b"")
    except httpx.LocalProtocolError:
        return
    lines = wire.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert all(not {10, 13} & set(line) for line in lines)
    assert len(lines) <= len(headers) + 3


def test_requests_that_are_all_different_do_not_fill_the_memory() -> None:
    encoder = RequestEncoder(b"h")
    for index in range(5000):
        wire = encoder.encode("POST", f"/{index}", [("x-request-id", f"r-{index}"), (f"x-{index}", "1")], b"")
        assert f"POST /{index} HTTP/1.1\r\nHost: h\r\nx-request-id: r-{index}\r\nx-{index}: 1\r\n".encode() in wire
    tracked = [getattr(encoder, slot) for slot in encoder.__slots__]
    assert all(len(cache) <= 1024 for cache in tracked if isinstance(cache, dict))


def test_what_is_kept_of_earlier_requests_never_shows_in_a_later_one() -> None:
    encoder = RequestEncoder(b"h")
    lists = [
        [("a", "1"), ("b", "2"), ("x-request-id", "{}")],
        [("a", "1"), ("b", "3"), ("x-request-id", "{}")],
        [("b", "2"), ("a", "1")],
        [("a", "1"), ("a", "2"), ("a", "{}")],
        [("host", "other"), ("a", "1"), ("Content-Length", "2")],
        [],
    ]
    for index in range(60):
        headers = [(name, value.format(index)) for name, value in lists[index // 2 % len(lists)]]
        wire = encoder.encode("POST", "/", headers, b"hi")
        assert wire == RequestEncoder(b"h").encode("POST", "/", headers, b"hi")
    with pytest.raises(httpx.LocalProtocolError, match="Content-Length is not"):
        encoder.encode("POST", "/", lists[4], b"longer")
