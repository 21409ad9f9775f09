"""Excerpts point at the fault and never show a credential."""

import pytest

from burstctl.source import Position, Source, mask_user_info


def test_a_line_is_shown_with_a_caret_under_the_position() -> None:
    source = Source.of("m.yaml", "version: 1\nrate_limit: ten\n")
    assert source.excerpt(Position(2, 13)) == "2 | rate_limit: ten\n  |             ^"


def test_a_long_line_is_cut_around_the_caret() -> None:
    shown, caret = Source.of("m.yaml", "a: " + "x" * 500 + "!" + "y" * 500).excerpt(Position(1, 504)).splitlines()
    assert len(shown) <= 80
    assert shown[caret.index("^")] == "!"


@pytest.mark.parametrize(
    "text",
    [
        "authorization: Bearer s3cr3t-value",
        '{"authorization": "s3cr3t-value", "other": 1}',
        "headers: {x-api-key: s3cr3t-value}",
        "authorization:\n  Bearer\n  s3cr3t-value",
        "cookie: |\n  one\n  s3cr3t-value",
        "- token: s3cr3t-value",
        "base_url: http://user:s3cr3t-value@host/path",
        "base_url: user:s3cr3t-value@host",
        "base_url: http:/user:s3cr3t-value@host",
        "base_url: http://user:s3cr3t-value/with/slashes@host",
    ],
)
def test_no_excerpt_shows_a_credential(text: str) -> None:
    source = Source.of("m.yaml", text)
    for line, content in enumerate(source.lines, 1):
        for column in range(1, len(content) + 2):
            assert "s3cr3t" not in source.excerpt(Position(line, column))


def test_the_host_of_a_url_stays_readable() -> None:
    assert mask_user_info("http://user:pass@host:80/path") == "http://***@host:80/path"
    assert mask_user_info("http://host:80/path") == "http://host:80/path"


def test_positions_count_line_feeds_only() -> None:
    assert Source.of("m", "a\u2028b\r\nc").locate(5) == Position(2, 1)
