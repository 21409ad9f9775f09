"""Placeholders are filled once from the environment, and per request from its row; a value never injects anything."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.interpolate import Interpolated, MissingFieldError, Placeholder, Template, interpolate

ENVIRON = {"A": "alpha", "EMPTY": "", "HOLE": "${A} $$ }"}


def fill(text: str, environ: Mapping[str, str] = ENVIRON) -> Interpolated:
    return interpolate({"key": text}, environ, lambda _path: True)


def resolve(text: str, environ: Mapping[str, str] = ENVIRON) -> str:
    found = fill(text, environ)
    assert not found.unresolved
    assert isinstance(found.value, dict)
    value = found.value["key"]
    constant = value.constant if isinstance(value, Template) else value
    assert isinstance(constant, str)
    return constant


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("${A}", "alpha"),
        ("x${A}y${A}z", "xalphayalphaz"),
        ("${EMPTY}", ""),
        ("${A:-b}", "alpha"),
        ("${B:-b}", "b"),
        ("${EMPTY:-b}", "b"),
        ("${EMPTY-b}", ""),
        ("${B-b}", "b"),
        ("${B:-}", ""),
        ("${B:-http://h:1/?a=b}", "http://h:1/?a=b"),
        ("${B:-${A}}", "alpha"),
        ("${B:-${C:-${A}}!}", "alpha!"),
        ("${A:-${UNSET}}", "alpha"),
        ("${A:?message}", "alpha"),
        ("${EMPTY?message}", ""),
        ("$$", "$"),
        ("$${A}", "${A}"),
        ("$$$$", "$$"),
        ("$$${A}", "$alpha"),
        ("$A", "$A"),
        ("costs $5 or 5$", "costs $5 or 5$"),
        ("$ref {x} }", "$ref {x} }"),
        ("${HOLE}", "${A} $$ }"),
    ],
)
def test_compose_interpolation(text: str, filled: str) -> None:
    assert resolve(text) == filled


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        ("${B}", "B is not set", "--var B=VALUE"),
        ("${B:?where is B}", "B is not set", "where is B"),
        ("${EMPTY:?say something}", "EMPTY is empty", "say something"),
        ("${A", "never closed", "${NAME:-default}"),
        ("${B:-x", "never closed", "${NAME:-default}"),
        ("${}", "no placeholder", "${NAME}"),
        ("${1A}", "no placeholder", "${NAME}"),
        ("${A B}", "no placeholder", "${NAME}"),
        ("${A:+x}", "no placeholder", "${NAME}"),
        ("${row.}", "no placeholder", "${row.field}"),
    ],
)
def test_what_can_not_be_resolved_is_reported_with_its_place(text: str, reason: str, hint: str) -> None:
    [unresolved] = fill(text).unresolved
    assert unresolved.path == ("key",)
    assert reason in unresolved.reason
    assert hint in (unresolved.hint or "")


def test_bytes_that_are_no_text_are_refused() -> None:
    [unresolved] = fill("${RAW}", {"RAW": b"\xff".decode("utf-8", "surrogateescape")}).unresolved
    assert "not UTF-8" in unresolved.reason


def test_it_tells_which_values_of_the_environment_went_where() -> None:
    found = interpolate({"a": ["${A}", "${B:-${A}}"], "b": "${C:-default}"}, ENVIRON, lambda _path: True)
    assert [(use.name, use.value, use.path) for use in found.uses] == [
        ("A", "alpha", ("a", 0)),
        ("A", "alpha", ("a", 1)),
    ]


def test_keys_and_other_scalars_stay_as_they_are() -> None:
    value = {"${A}": [1, 2.5, None, True, "text"]}
    assert interpolate(value, ENVIRON, lambda _path: True).value == value


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_value_is_never_interpolated_again(value: str) -> None:
    assert resolve("<${V}>", {"V": value}) == f"<{value}>"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_doubling_every_dollar_gives_the_text_back(text: str) -> None:
    assert resolve(text.replace("$", "$$")) == text


ROW = {"text": "hi", "n": 7, "deep": {"list": [{"x": None}, 2.5]}, "a.b": "dotted", "o": {"k": "ü"}}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("row.text", "hi"),
        ("row.n", 7),
        ("row.deep.list.0.x", None),
        ("row.deep.list.1", 2.5),
        ("row.a.b", "dotted"),
        ("row.o", {"k": "ü"}),
        ("row", ROW),
        ("index", 42),
        ("uuid", "uuid-42"),
    ],
)
def test_a_placeholder_alone_keeps_its_type(name: str, value: object) -> None:
    assert Placeholder(name).reader(lambda index: f"uuid-{index}")(ROW, 42) == value


@pytest.mark.parametrize("name", ["row.none", "row.text.x", "row.deep.list.2", "row.deep.list.x"])
def test_a_missing_field_is_named(name: str) -> None:
    with pytest.raises(MissingFieldError, match=name.removeprefix("row.").replace(".", r"\.")):
        Placeholder(name).reader(str)(ROW, 0)


def test_in_a_text_values_are_written_as_text_or_json() -> None:
    found = fill("${A}: ${row.text} ${row.n} ${row.o} ${row.deep.list.0.x} ${index}").value
    assert isinstance(found, dict)
    template = found["key"]
    assert isinstance(template, Template)
    assert template.text_reader(str)(ROW, 3) == 'alpha: hi 7 {"k":"ü"} null 3'
