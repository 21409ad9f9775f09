"""Headers come out as text, each name in lower case, whatever bytes a server puts in them."""

import httpx
from hypothesis import given
from hypothesis import strategies as st

from burstctl.send.http1.received import HeaderReader

PAIRS = st.lists(st.tuples(st.sampled_from([b"X-A", b"date", b"Content-Type"]), st.binary(max_size=200)), max_size=5)


@given(st.lists(PAIRS, max_size=5))
def test_answers_are_read_alike_each_time(answers: list[list[tuple[bytes, bytes]]]) -> None:
    reader = HeaderReader()
    first = [reader.read(answer) for answer in answers]
    assert [reader.read(answer) for answer in answers] == first
    for raw, read in zip(answers, first, strict=True):
        assert [name for name, _ in read] == [name.decode().lower() for name, _ in raw]


@given(st.text(max_size=50))
def test_text_comes_back_as_httpx_would_read_it(text: str) -> None:
    raw = [(b"X-A", text.encode())]
    assert list(HeaderReader().read(raw)) == httpx.Headers(raw).multi_items()


def test_what_is_not_utf_8_is_latin_1() -> None:
    assert HeaderReader().read([(b"X-A", b"caf\xe9")]) == (("x-a", "café"),)


def test_headers_that_are_all_different_do_not_fill_the_memory() -> None:
    reader = HeaderReader()
    for index in range(5000):
        assert reader.read([(b"X-Request-Id", b"%d" % index)]) == (("x-request-id", str(index)),)
    assert len(reader._pairs) <= 1024
