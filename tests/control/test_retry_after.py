"""Retry-After as RFC 9110 has it and as servers write it; what is malformed is ignored."""

import pytest

from burstctl.control.retry_after import read_retry_after

NOW_S = 1_796_137_200.0  # Tue, 01 Dec 2026 15:00:00 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        (" 120 ", 120),
        ("1.5", 1.5),
        ("Tue, 01 Dec 2026 15:00:30 GMT", 30),
        ("Tuesday, 01-Dec-26 15:00:30 GMT", 30),
        ("Tue, 01 Dec 2026 14:00:00 GMT", 0),
        ("", None),
        ("-1", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e9", None),
        ("1_000", None),
        ("1000000000", 1e9),
        ("99999999999999999999", 1e20),
        ("\uff11", None),
        ("Tue, 99 Dec 2026 15:00:30 GMT", None),
    ],
)
def test_seconds_and_dates(value: str, seconds: float | None) -> None:
    assert read_retry_after({"retry-after": value}, NOW_S) == seconds


def test_a_date_counts_from_the_answers_own_date_not_from_our_clock() -> None:
    headers = {"retry-after": "Tue, 01 Dec 2026 15:00:30 GMT", "date": "Tue, 01 Dec 2026 15:00:10 GMT"}
    assert read_retry_after(headers, NOW_S - 3600) == 20


def test_no_header_asks_for_nothing() -> None:
    assert read_retry_after({}, NOW_S) is None


def test_milliseconds_come_first() -> None:
    assert read_retry_after({"retry-after-ms": "250", "retry-after": "1"}, NOW_S) == 0.25
    assert read_retry_after({"retry-after-ms": "soon", "retry-after": "1"}, NOW_S) == 1
