"""Every piece of a scalar is found where it stands in the file, however it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Sequence, Tagged, Unreadable, Value, walk
from burstctl.lint.file import File


def root(text: str) -> Mapping:
    value = read_yaml(File.of("x.yml", text)).roots[0]
    assert isinstance(value, Mapping)
    return value


def scalar(text: str, key: str = "a") -> Scalar:
    value = root(text).get(key)
    assert isinstance(value, Scalar)
    return value


def where(text: str, piece: str) -> tuple[str, int, int]:
    """Find a piece of the value of `a`: its text in the file, line and column."""
    value = scalar(text)
    start = value.text.index(piece)
    span = value.locate(start, start + len(piece))
    return span.text, span.begins.line, span.begins.column


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: one curl two\n", (1, 8)),
        ("a: &x one curl two\n", (1, 11)),
        ("a: 'it''s curl'\n", (1, 11)),
        ('a: "\\tx \\u00e4 curl"\n', (1, 16)),
        ("a: |\n  one\n\n    curl x\n  two\n", (4, 5)),
        ("a: |-  # why\n  one\n  curl x", (3, 3)),
        ("a: &x |\n  one\n  curl\n", (3, 3)),
        ("a: |2\n    one\n    curl\n", (3, 5)),
        ("a: >\n  one\n  two curl\n", (3, 7)),
        ("a: one\n  two\n  curl x\n", (3, 3)),
        ("a: 'one\n\n  curl'\n", (3, 3)),
        ('a: "one \\\n  curl"\n', (2, 3)),
        ("a: |\r\n  one\r\n  curl\r\nb: 1\r\n", (3, 3)),
        ("b: 😀\na: ä curl\n", (2, 6)),
    ],
)
def test_a_piece_of_a_scalar_is_found(text: str, place: tuple[int, int]) -> None:
    assert where(text, "curl") == ("curl", *place)


@given(st.lists(st.text("ab ü", min_size=1, max_size=5).filter(lambda line: line.strip() == line), min_size=1))
def test_each_character_of_a_literal_block_is_found(lines: list[str]) -> None:
    text = "k: 1\na: |\n" + "".join(f"    {line}\n" for line in lines) + "z: 2\n"
    value = scalar(text)
    for index, character in enumerate(value.text):
        if character != "\n":
            assert value.locate(index, index + 1).text == character


def test_the_end_of_a_block_is_that_of_its_last_value() -> None:
    text = "a:\n  b: 1\n  c: |\n    x\n    # y\n\n# comment\n\nd: 1\n"
    assert root(text).entries["a"].value.span.text == "b: 1\n  c: |\n    x\n    # y"


def test_a_tag_of_its_own_is_kept() -> None:
    value = root("a: !reference [b, c]\n").get("a")
    assert isinstance(value, Tagged)
    assert value.tag == "!reference"
    assert isinstance(value.value, Sequence)
    assert value.span.text == "!reference [b, c]"


def test_a_shared_value_is_walked_once() -> None:
    seen = list(walk(root("a: &a [1, 2]\nb: [*a, *a]\n")))
    assert sum(isinstance(one, Scalar) for one in seen) == 2


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a: [1\nb: 2\n", "not valid YAML", 2),
        ("a:\n\t- 1\n", "not valid YAML", 2),
        ("a: *b\n", "no anchor", 1),
        ("a: &a [*a]\n", "inside its own anchor", 1),
        ("x: 1\na: " + "[" * 10_000, "nest", 2),
        ("a: " + "{a: " * 10_000, "nest", 1),
        ("\n".join(f"{' ' * depth}a:" for depth in range(10_000)), "nested deeper than 150 levels", 151),
        ("- - " * 10_000, "nested deeper than 150 levels", 1),
        ("a: [" + "1, " * 200_001 + "]", "more than 200,000 values", 1),
        ("a: \x00\n", "not valid YAML", 1),
    ],
    ids=lambda value: str(value)[:30].encode("unicode_escape").decode(),
)
def test_what_is_no_document_is_told_with_its_place(text: str, reason: str, line: int) -> None:
    with pytest.raises(Unreadable, match=reason) as caught:
        read_yaml(File.of("x.yml", text))
    assert caught.value.span.begins.line == line


def test_a_tab_as_indentation_has_a_hint() -> None:
    with pytest.raises(Unreadable) as caught:
        read_yaml(File.of("x.yml", "a:\n\t- 1\n"))
    assert "tab" in str(caught.value.hint)


def test_a_bomb_of_aliases_is_read_at_no_cost() -> None:
    lines = ["a0: &a0 [x, x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 100))]
    assert len(root("\n".join(lines)).entries) == 100


def test_merging_one_large_mapping_again_and_again_has_a_bound() -> None:
    large = "a: &a\n" + "".join(f"  k{n}: 1\n" for n in range(5_000))
    with pytest.raises(Unreadable, match="values"):
        read_yaml(File.of("x.yml", large + "".join(f"b{n}: {{<<: *a}}\n" for n in range(5_000))))


def clashes(text: str) -> list[tuple[str, int, int, bool]]:
    found = read_yaml(File.of("x.yml", text)).clashes
    return [(one.key.text, one.key.span.begins.line, one.lost.begins.line, one.by_merge) for one in found]


def test_duplicates_and_late_merges_are_told() -> None:
    assert clashes("a: 1\nb: 2\na: 3\n") == [("a", 3, 1, False)]
    assert clashes("t: &t {a: 1}\nx:\n  a: 2\n  <<: *t\n") == [("a", 4, 3, True)]


def test_a_merge_that_changes_nothing_is_not_told() -> None:
    assert clashes("t: &t {a: 1}\nx:\n  <<: *t\n  a: 2\n") == []
    assert clashes("t: &t {a: 1}\nx:\n  a: 1\n  <<: *t\n") == []
    assert clashes("t: &t {a: 1}\nu: &u {a: 2}\nx:\n  <<: *t\n  <<: *u\n") == []


def value_of(value: Value | None) -> object:
    match value:
        case Scalar():
            return value.value
        case Sequence():
            return [value_of(item) for item in value.items]
        case Mapping():
            return {name: value_of(entry.value) for name, entry in value.entries.items()}
        case _:
            return None


def test_documents_are_kept_apart() -> None:
    roots = read_yaml(File.of("x.yml", "spec: 1\n---\na: &a 2\n---\nb: 3\n")).roots
    assert [value_of(one) for one in roots] == [{"spec": 1}, {"a": 2}, {"b": 3}]


def test_an_anchor_does_not_reach_into_the_next_document() -> None:
    with pytest.raises(Unreadable, match="no anchor"):
        read_yaml(File.of("x.yml", "a: &a 2\n---\nb: *a\n"))
