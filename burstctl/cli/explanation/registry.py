"""Finds an explanation: each module of this folder but this one explains one kind of words."""

import pkgutil
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Protocol, cast

from burstctl.cli import explanation
from burstctl.errors import UsageError


class Kind(Protocol):
    """What a module offers."""

    TITLE: str

    def topics(self) -> Mapping[str, str]:
        """Map each word to its meaning in a line."""
        ...

    def explain(self, word: str) -> str | None:
        """Explain a word in lower case, to the last newline; None if it is of another kind."""
        ...


def kinds() -> Iterator[Kind]:
    """Give all kinds, in the order of their names."""
    for name in sorted(module.name for module in pkgutil.iter_modules(explanation.__path__)):
        if name != "registry":
            yield cast("Kind", import_module(f"{explanation.__name__}.{name}"))


def explain(word: str) -> str:
    """Explain a word; `UsageError` with the closest ones if nobody knows it."""
    for kind in kinds():
        if text := kind.explain(word.strip().lower()):
            return text
    known = {topic.lower(): topic for kind in kinds() for topic in kind.topics()}
    close = [known[one] for one in get_close_matches(word.lower(), known, n=3)]
    hint = f"did you mean {' or '.join(close)}?" if close else "`burstctl explain` alone lists all that it can explain"
    raise UsageError(f"nothing to explain under {word!r}", hint=hint)


def overview() -> str:
    """List all words with their meanings."""
    lines: list[str] = []
    for kind in kinds():
        topics = kind.topics()
        width = max(map(len, topics), default=0)
        lines += [f"{kind.TITLE}:", *(f"  {word:{width}}  {line}" for word, line in topics.items()), ""]
    return "\n".join(lines)
