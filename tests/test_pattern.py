"""A pattern finds what a compiled one finds."""

import re

import pytest

from burstctl.pattern import pattern


def test_it_finds_what_a_compiled_one_finds() -> None:
    late, compiled = pattern(r"a(\d)", re.IGNORECASE), re.compile(r"a(\d)", re.IGNORECASE)
    text = "A1 b a2"
    assert [match[0] for match in late.finditer(text)] == [match[0] for match in compiled.finditer(text)]
    assert late.sub(r"<\1>", text) == compiled.sub(r"<\1>", text)
    assert late.split(text) == compiled.split(text)
    assert late.findall(text) == compiled.findall(text)
    for method in ("match", "fullmatch", "search"):
        assert str(getattr(late, method)(text)) == str(getattr(compiled, method)(text))


def test_a_wrong_one_is_told_at_its_first_use() -> None:
    late = pattern("(")
    with pytest.raises(re.error):
        late.search("")
