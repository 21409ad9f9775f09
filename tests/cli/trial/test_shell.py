"""What is written for a shell comes out of it as it went in, and no secret is written."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.cli.trial.shell import Substitution, Variable, is_writable, word
from burstctl.secret import Redactor

TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc", "Cs"]), max_size=12)
SECRET = "s3cr3t-$`'\"!\\ x"


def split(text: str) -> list[str | Variable]:
    return Substitution([("TOKEN", SECRET)], Redactor([SECRET])).split(text)


def shell(words: str, **environ: str) -> str:
    command = ["bash", "-c", f"printf %s {words}"]
    return subprocess.run(command, env=environ, capture_output=True, check=True, timeout=20).stdout.decode()


@settings(max_examples=60, deadline=None)
@given(before=TEXT, after=TEXT)
def test_a_word_is_what_it_was_and_the_secret_a_variable(before: str, after: str) -> None:
    text = f"{before}{SECRET}{after}{SECRET}"
    written = word(split(text))
    assert "s3cr3t" not in written
    assert shell(written, TOKEN=SECRET) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("/a/b.c", "/a/b.c"),
        ("a b", "'a b'"),
        ("it's", "'it'\\''s'"),
        ("", "''"),
        (f"Bearer {SECRET}", '"Bearer $TOKEN"'),
        (f"{SECRET}x", '"${TOKEN}x"'),
        (f"{SECRET}{SECRET}", '"$TOKEN$TOKEN"'),
        (f'"{SECRET}"', "'\"'\"${TOKEN}\"'\"'"),
        ("##vso[x]", "'#''#vso[x]'"),
        (f"##vso[x]{SECRET}", '"#""#vso[x]$TOKEN"'),
        ("###", "'#''##'"),
    ],
)
def test_words_read_well(text: str, written: str) -> None:
    assert word(split(text)) == written
    assert shell(written, TOKEN=SECRET) == text


def test_forms_that_a_shell_can_not_make_have_names_of_their_own() -> None:
    assert split('{"a":"s3cr3t-$`\'\\"!\\\\ x"}') == ['{"a":"', Variable("TOKEN_IN_JSON"), '"}']
    assert split("?q=s3cr3t-%24%60%27%22%21%5C%20x") == ["?q=", Variable("TOKEN_IN_URL")]


def test_a_form_that_is_no_different_has_the_variables_own_name() -> None:
    assert Substitution([("T", "plain")], Redactor(["plain"])).split("a=plain") == ["a=", Variable("T")]


def test_what_no_variable_stands_for_is_masked() -> None:
    assert Substitution([], Redactor(["literal"])).split("a literal b") == ["a *** b"]
    assert split("BASE64 czNjcjN0LSRgJyIhXCB4") == ["BASE64 ***"]


def test_values_that_occur_by_chance_are_no_variables() -> None:
    assert Substitution([("ONE", "1"), ("NONE", "")], Redactor([])).split("v1/11") == ["v1/11"]


@pytest.mark.parametrize(
    ("text", "writable"), [("é “x”", True), ("a\nb", False), ("\x1b[0m", False), ("\u202e", False)]
)
def test_control_and_invisible_characters_are_not_written(text: str, writable: bool) -> None:
    assert is_writable(text) is writable
