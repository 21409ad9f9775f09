"""YAML and JSON become plain values, every one of which can be found again in the text."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.document import Document, DocumentError, read_document
from burstctl.source import Path, Position


def read(text: str | bytes) -> Document:
    return read_document(text.encode() if isinstance(text, str) else text, "m.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-0.5", -0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("yes", "yes"),
        ("on", "on"),
        ("12:30:45", "12:30:45"),
        ("0755", "0755"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("2026-01-02", "2026-01-02"),
        ("1.2.3", "1.2.3"),
        (".inf", ".inf"),
        ("1e999", "1e999"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("300/s", "300/s"),
        ("5xx", "5xx"),
    ],
)
def test_scalars_mean_what_they_look_like(text: str, value: object) -> None:
    found = read(f"key: {text}\n").value
    assert found == {"key": value}
    assert isinstance(found, dict)
    assert type(found["key"]) is type(value)


def test_keys_are_always_text() -> None:
    assert read("200: a\non: b\ntrue: c\n").value == {"200": "a", "on": "b", "true": "c"}


@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_positions_hold_with_byte_order_mark_and_crlf(start: str, end: str) -> None:
    lines = ["# é", "name: x", "requests:", "  - path: /é", "    'a b': {é: 1, count: 2}", "last: 1", ""]
    document = read(start + end.join(lines))
    assert document.position(("requests", 0, "a b", "count")) == Position(5, 26)
    assert document.position(("requests", 0, "a b", "count"), of_key=True) == Position(5, 19)
    assert document.position(("last",), of_key=True) == Position(6, 1)
    assert document.position(("requests", 0, "absent")) == Position(4, 5)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=20), json_values, min_size=1, max_size=4), st.sampled_from([None, 1, "\t"]))
def test_json_is_read_as_json(value: dict[str, object], indent: int | str | None) -> None:
    assert read(json.dumps(value, indent=indent)).value == value


def test_positions_in_json_hold_behind_an_escaped_emoji() -> None:
    text = r'{"a": "\ud83d\ude00 \\ud83d", "b": "\ud83d\ude00", "c": x}'
    document = read(text)
    assert document.value == {"a": "😀 \\ud83d", "b": "😀", "c": "x"}
    assert document.position(("b",), of_key=True).column == text.index('"b"') + 1
    assert document.position(("c",)).column == text.index("x}") + 1


def test_anchors_and_merge_keys_work_and_the_own_key_wins() -> None:
    document = read("base: &b {a: 1, b: 2}\nmore: &m {b: 3, c: 4}\nhere: {<<: [*b, *m], a: 0}\ncopy: *b\n")
    assert document.value == {
        "base": {"a": 1, "b": 2},
        "more": {"b": 3, "c": 4},
        "here": {"a": 0, "b": 2, "c": 4},
        "copy": {"a": 1, "b": 2},
    }
    assert document.position(("here", "c")) == Position(2, 20)


def test_it_knows_which_scalars_are_quoted() -> None:
    document = read("a: x\nb: 'x'\nc: |\n  x\n")
    assert [document.is_plain((key,)) for key in "abc"] == [True, False, False]


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason", "hint"),
    [
        ("a:\n\tb: 1\n", 2, 1, "a tab can't indent", "spaces"),
        ("a: 1\n\tb: 2\n", 2, 1, "a tab can't indent", "spaces"),
        ("a:\n  - b\n  \t- c\n", 3, 3, "a tab can't indent", "spaces"),
        ("a: 1\nb: 2\na: 3\n", 3, 1, "the key a is there twice", "line 1"),
        ("", 1, 1, "empty", None),
        ("# only a comment\n", 1, 1, "empty", None),
        ("a: [1, 2\nb: 3\n", 2, 2, "not valid YAML", "opens on line 1"),
        ("a: {b: ${X}}\n", 1, 9, "not valid YAML", 'quotes: {key: "${NAME}"}'),
        ("a: b: c\n", 1, 5, "not valid YAML", "needs quotes"),
        ("a: @x\n", 1, 4, "not valid YAML", "needs quotes"),
        ("a: !!python/object:os.system x\n", 1, 4, "the tag", "remove"),
        ("a: !x y\n", 1, 4, "the tag !x", "remove"),
        ("{a: 1}: 2\n", 1, 1, "a key must be text", "quotes"),
        ("a: 1\n--- \nb: 2\n", 2, 1, "another document", None),
        ("a: *b\n", 1, 4, "undefined alias", "needs quotes"),
        ("a: &a [*a]\n", 1, 4, "deeper than 100", None),
        ("a: " + "[" * 500 + "]" * 500, 1, 104, "deeper than 100", None),
        ("- " * 5000, 1, 1, "not valid YAML", None),
        (BOMB, 1, 10, "more than 500,000 values", None),
        ("a: x\0y\n", 1, 5, "NUL", "binary"),
        ("a: x\x07y\n", 1, 5, "U+0007", "escape"),
        (b"a: 1\nb: \xff\n", 2, 4, "not UTF-8", "UTF-8"),
        (b"\x7fELF\x00\xff\xfe", 1, 6, "not UTF-8", "binary"),
        ("a: 1\n".encode("utf-16"), 1, 1, "not UTF-8", "binary"),
    ],
)
def test_what_can_not_be_read_is_named_with_its_place(
    text: str | bytes, line: int, column: int, reason: str, hint: str | None
) -> None:
    with pytest.raises(DocumentError) as caught:
        read(text)
    error = caught.value
    assert reason in error.message
    if not str(text).startswith(("- - ", "a0")):  # far inside: any place in the line will do
        assert error.position == Position(line, column)
    assert error.message.startswith(f"m.yaml:{error.position.line}:{error.position.column}: ")
    assert hint in (error.hint or "") if hint else error.hint is None


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_input_gives_a_value_or_one_clear_error(data: bytes) -> None:
    with contextlib.suppress(DocumentError):
        assert read(data).position(()).line >= 1


def paths(value: object, path: Path = ()) -> list[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in paths(item, (*path, key)))]


@given(st.dictionaries(st.text(min_size=1, max_size=9), json_values, min_size=1, max_size=4))
def test_every_value_can_be_found_in_the_text(value: dict[str, object]) -> None:
    text = json.dumps(value)
    document = read(text)
    for path in paths(document.value)[1:]:
        at = document.position(path, of_key=isinstance(path[-1], str)).column - 1
        if isinstance(path[-1], str):
            assert text[at:].startswith(json.dumps(path[-1]))
