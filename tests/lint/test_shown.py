"""Text of strangers is shown inert, and secrets are not shown."""

import pytest

from burstctl.lint.excerpt import show, show_line
from burstctl.lint.shown import is_secret_value, mask, plain, visible
from burstctl.source import Position, Source

ESCAPE = "\x1b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a job", "a job"),
        ("größe – 名前", "größe – 名前"),
        (f"{ESCAPE}[31mred", r"\x1b[31mred"),
        ("two\nlines\r\ttab", r"two\nlines\r\ttab"),
        ("::error::no", r"\x3a:error::no"),
        ("a ::error:: within", "a ::error:: within"),
        ("##vso[task.setvariable variable=a]b", r"#\x23vso[task.setvariable variable=a]b"),
        ("##[error]no", r"#\x23[error]no"),
        ("## heading", "## heading"),
        ("\u202eright", r"\u202eright"),
        ("\udcff", r"\udcff"),
    ],
)
def test_text_is_one_inert_line(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("export API_TOKEN=hunter22", "export API_TOKEN=***"),
        ("API_TOKEN='hunter 22' run", "API_TOKEN=*** run"),
        ("curl --api-key hunter22 x", "curl --api-key *** x"),
        ("curl --api-key=hunter22 x", "curl --api-key=*** x"),
        ("curl -u me:hunter22 x", "curl -u *** x"),
        ('curl -H "Authorization: Bearer hunter22" x', 'curl -H "Authorization: Bearer ***" x'),
        ("curl https://me:hunter22@host/predict", "curl https://***@host/predict"),
        ("curl https://host/predict?api_key=hunter22&x=1", "curl https://host/predict?api_key=***&x=1"),
        ("echo glpat-abcdefghijklmnop", "echo ***"),
        ("export API_TOKEN=$VAULT_TOKEN", "export API_TOKEN=$VAULT_TOKEN"),
        ("curl -u $CREDENTIALS x", "curl -u $CREDENTIALS x"),
        ("hey -n 100 -c 5 $URL/predict", "hey -n 100 -c 5 $URL/predict"),
        ("max_tokens=5 python load.py", "max_tokens=5 python load.py"),
    ],
)
def test_what_looks_like_a_credential_is_masked(line: str, shown: str) -> None:
    masked = mask(line)
    assert "hunter" not in masked
    assert masked == shown


def test_a_message_is_short_and_holds_no_secret() -> None:
    assert plain("says topsecret aloud", ["topsecret"]) == "says *** aloud"
    assert len(plain("x" * 5000)) == 400


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("API_TOKEN", "hunter22", True),
        ("API_TOKEN", "$OTHER", False),
        ("API_TOKEN", None, False),
        ("API_TOKEN", "abc", False),
        ("RATE_LIMIT", "300/s", False),
    ],
)
def test_variables_hold_secrets_by_their_names(name: str, value: str | None, secret: bool) -> None:
    assert is_secret_value(name, value) is secret


def test_an_excerpt_keeps_its_caret_and_hides_its_secrets() -> None:
    source = Source.of("a.yml", "script:\n  - API_TOKEN=hunter22 hey http://x/predict\n")
    assert show(source, Position(2, 5), []) == "2 |   - API_TOKEN=*** hey http://x/predict\n  |     ^"
    beyond = show(source, Position(2, 25), []).splitlines()
    assert beyond[1].index("^") == beyond[0].index("***")


def test_a_whole_line_keeps_tabs_and_hides_secrets() -> None:
    lines = ["script: |", "\thello topsecret \x1b[2J\r"]
    assert show_line(lines, 2, ["topsecret"]) == "\thello *** \\x1b[2J"
