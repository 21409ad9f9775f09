"""Bodies are undone whatever way they were packed, and no further than the bound."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.send.decode import DecodeError, TooLargeError, decoder_for

TEXT = b'{"label": "positive", "score": 0.98}' * 20


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKED = {
    "none": ("", TEXT),
    "identity": ("identity", TEXT),
    "gzip": ("gzip", gzip.compress(TEXT)),
    "x-gzip, upper case": (" X-GZip ", gzip.compress(TEXT)),
    "two gzip members": ("gzip", gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:])),
    "gzip padded with zeros": ("gzip", gzip.compress(TEXT) + b"\0" * 9),
    "gzip, then the first half of another's mark": ("gzip", gzip.compress(TEXT) + b"\x1f"),
    "deflate": ("deflate", zlib.compress(TEXT)),
    "deflate without zlib's header": ("deflate", raw_deflate(TEXT)),
    "deflate that is gzip": ("deflate", gzip.compress(TEXT)),
    "deflate in gzip": ("deflate, gzip", gzip.compress(zlib.compress(TEXT))),
    "gzip in identity in gzip": ("gzip,identity, gzip", gzip.compress(gzip.compress(TEXT))),
    "a coding never asked for": ("br", TEXT),
    "a coding never asked for, in gzip": ("br, gzip", gzip.compress(TEXT)),
}


@given(name=st.sampled_from(sorted(PACKED)), cuts=st.lists(st.integers(0, 800), max_size=12))
def test_every_packing_is_undone_however_it_is_cut(name: str, cuts: list[int]) -> None:
    coding, packed = PACKED[name]
    decoder, decoded, start = decoder_for(coding, len(TEXT)), b"", 0
    for end in (*sorted(cuts), len(packed)):
        decoded += decoder.feed(packed[start:end])
        start = max(start, end)
    decoder.finish()
    assert decoded == TEXT


@pytest.mark.parametrize("name", [name for name in PACKED if "zeros" not in name and "mark" not in name])
def test_a_body_cut_short_is_noticed(name: str) -> None:
    coding, packed = PACKED[name]
    if coding.split(",")[-1].strip().lower() in {"", "identity", "br"}:
        return  # the transport's framing tells
    decoder = decoder_for(coding, len(TEXT))
    decoder.feed(packed[:-5])
    with pytest.raises(DecodeError):
        decoder.finish()


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_no_body_at_all_is_whole(coding: str) -> None:
    decoder_for(coding, 10).finish()


@pytest.mark.parametrize(("coding", "body"), [("gzip", b"hello"), ("gzip", b"x"), ("deflate", b"\xff" * 20)])
def test_a_body_that_is_not_what_it_says_is_refused(coding: str, body: bytes) -> None:
    decoder = decoder_for(coding, 100)
    with pytest.raises(DecodeError):  # noqa: PT012 - either step may be the one that notices
        decoder.feed(body)
        decoder.finish()


def test_a_tower_of_codings_is_refused() -> None:
    with pytest.raises(DecodeError):
        decoder_for("gzip, " * 40 + "gzip", 100)


@pytest.mark.parametrize("coding", ["", "gzip", "gzip, gzip"])
def test_nothing_passes_the_bound(coding: str) -> None:
    packed = b"\0" * 2**22
    for word in coding.split(","):
        packed = gzip.compress(packed) if word.strip() else packed
    with pytest.raises(TooLargeError):
        decoder_for(coding, 2**20).feed(packed)
