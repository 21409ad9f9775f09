"""The encoding against the reference library: what we write it reads, what is no histogram is refused."""

import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st

from burstctl.hdrhistogram.counts import HIGHEST, LOWEST, SIGNIFICANT_DIGITS, count, values
from burstctl.hdrhistogram.encoding import decode, encode

SAMPLES = st.lists(st.tuples(st.integers(0, HIGHEST), st.integers(1, 10**9)), max_size=60)


@given(SAMPLES)
def test_what_is_written_is_read_back(samples: list[tuple[int, int]]) -> None:
    counts = count(samples)
    assert decode(encode(counts)) == counts
    assert sum(times for _, times in values(counts)) == sum(times for _, times in samples)


@given(st.integers(0, HIGHEST))
def test_a_value_keeps_three_digits(value: int) -> None:
    [(read, times)] = values(count([(value, 1)]))
    assert times == 1
    assert read == pytest.approx(value, rel=0.0005, abs=1)


def test_the_reference_library_sees_the_same_percentiles() -> None:
    samples = [(at * at * 1000 + 1, 1 + at % 5) for at in range(1, 2000)]
    theirs = HdrHistogram.decode(encode(count(samples)).encode())
    mine = HdrHistogram(LOWEST, HIGHEST, SIGNIFICANT_DIGITS)
    for value, times in samples:
        mine.record_value(value, times)
    assert theirs.get_total_count() == mine.get_total_count()
    for percentile in (50, 75, 90, 95, 99, 99.9, 100):
        assert theirs.get_value_at_percentile(percentile) == mine.get_value_at_percentile(percentile)


def test_what_the_reference_library_writes_is_read() -> None:
    theirs = HdrHistogram(LOWEST, HIGHEST, SIGNIFICANT_DIGITS)
    for at in range(1, 1000):
        theirs.record_value(at * 50_000, at % 3 + 1)
    read = list(values(decode(theirs.encode().decode())))
    assert sum(times for _, times in read) == theirs.get_total_count()
    assert read[-1][0] == pytest.approx(999 * 50_000, rel=0.001)


@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda data: data.hex()))
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="HdrHistogram"):
        decode(text)


def test_a_cut_or_poisoned_histogram_is_refused() -> None:
    whole = encode(count([(10**9, 5)]))
    with pytest.raises(ValueError, match="HdrHistogram"):
        decode(whole[: len(whole) // 8 * 4])
    with pytest.raises(ValueError, match="more counts"):
        decode(encode([0] * 10_000_000))
