"""Quantities are read as people write them, and what can't be meant is refused."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.units import (
    format_duration,
    format_ms,
    format_rate,
    format_share,
    parse_duration,
    parse_rate,
    parse_size,
)


@pytest.mark.parametrize(
    ("value", "rate"),
    [
        (300, 300.0),
        (0.5, 0.5),
        ("300", 300.0),
        ("300/s", 300.0),
        (" 300 /s ", 300.0),
        ("300/sec", 300.0),
        ("18000/min", 300.0),
        ("60/m", 1.0),
        ("3600/h", 1.0),
        (".5/s", 0.5),
        (1_000_000, 1_000_000.0),
    ],
)
def test_rates(value: object, rate: float) -> None:
    assert parse_rate(value) == rate


@pytest.mark.parametrize(
    "value",
    [
        0,
        -1,
        1e9,
        "0",
        "-1",
        "300rps",
        "ten",
        "",
        "1e3",
        "300/",
        "/s",
        "300/day",
        "1000001/s",
        True,
        None,
        [],
        math.inf,
        math.nan,
        "inf",
        "nan",
        "٣/s",
        "0/s",
        "9" * 400,
    ],
)
def test_impossible_rates(value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected "):
        parse_rate(value)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("30s", 30), ("200ms", 0.2), ("10m", 600), ("2min", 120), ("1h", 3600), ("1h30m", 5400), (1.5, 1.5), ("2", 2)],
)
def test_durations(value: object, seconds: float) -> None:
    assert parse_duration(value) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "value", ["", "soon", "1x", "s", "0s", 0, -1, "-1s", "1s2", "721h", True, None, math.inf, "٣s"]
)
def test_impossible_durations(value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected "):
        parse_duration(value)


@pytest.mark.parametrize(
    ("value", "size"), [("16MiB", 2**24), ("500kB", 500_000), ("1 gb", 10**9), (10, 10), ("1b", 1)]
)
def test_sizes(value: object, size: int) -> None:
    assert parse_size(value) == size


@pytest.mark.parametrize("value", ["", "big", 0, -1, "0.1b", "2000GiB", True, 1.5, None, "٣"])
def test_impossible_sizes(value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected "):
        parse_size(value)


@given(st.floats(min_value=1e-3, max_value=1e6))
def test_a_rate_that_is_shown_can_be_read_again(rate: float) -> None:
    assert parse_rate(format_rate(rate)) == pytest.approx(rate, rel=1e-5)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (format_rate(300.0), "300/s"),
        (format_rate(0.5), "0.5/s"),
        (format_duration(0.85), "850 ms"),
        (format_duration(4.12), "4.1 s"),
        (format_duration(125), "2 m 05 s"),
        (format_duration(3720), "1 h 02 m"),
        (format_duration(0.9999), "1.0 s"),
        (format_duration(59.97), "1 m 00 s"),
        (format_ms(None), "–"),
        (format_ms(0.84), "0.84"),
        (format_ms(12.34), "12.3"),
        (format_ms(1240), "1,240"),
        (format_ms(9.999), "10.0"),
        (format_ms(99.96), "100"),
        (format_share(0), "0%"),
        (format_share(1 / 1200), "0.0833%"),
        (format_share(1), "100%"),
        (format_share(0.125), "12.5%"),
        (format_share(1199 / 1200), "99.9%"),
    ],
)
def test_what_people_read(shown: str, text: str) -> None:
    assert shown == text
