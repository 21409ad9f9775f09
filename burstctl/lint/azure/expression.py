"""`${{ … }}` of Azure's templates: what its values and conditions come to, as far as files tell. Knows no keyword."""

import re
from collections.abc import Callable, Mapping, Sequence

from burstctl.light import state
from burstctl.pattern import pattern

EXPRESSION = pattern(r"\$\{\{(?P<body>(?:[^{}']|'[^']*')*)\}\}")
_TOKEN = pattern(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<name>[A-Za-z_][\w-]*)|(?P<number>-?\d+(?:\.\d+)*)|(?P<sign>[()\[\],.]))"
)
_MAX_DEPTH = 30
_LONGEST = 2000

Known = str | int | float | bool | None
Lookup = Callable[[Sequence[str]], "Known | Unknown"]
"""Gives what a path stands for: `("parameters", "rate")`."""


class Unknown:
    """Stands for what only the running pipeline knows."""

    __slots__ = ()


UNKNOWN = Unknown()


def evaluate(body: str, lookup: Lookup) -> Known | Unknown:
    """Work an expression out."""
    tokens = _tokens(body)
    if tokens is None:
        return UNKNOWN
    reading = _Reading(tokens, lookup)
    result = reading.value(0)
    return result if reading.at == len(tokens) else UNKNOWN


def is_true(value: Known | Unknown) -> bool | None:
    """Tell whether a condition holds; None where it isn't known."""
    if isinstance(value, Unknown):
        return None
    return value not in (False, None, "", 0, "False", "false")


def path_of(body: str) -> tuple[str, ...] | None:
    """Give the path that an expression is, and nothing but: `parameters.rate`, `variables['Build.Reason']`."""
    match = re.fullmatch(r"\s*(?P<first>[A-Za-z_]\w*)(?P<rest>(?:\.[A-Za-z_][\w-]*|\[\s*'[^']+'\s*\])*)\s*", body)
    if match is None:
        return None
    rest = re.findall(r"\.([A-Za-z_][\w-]*)|\[\s*'([^']+)'\s*\]", match["rest"])
    return (match["first"], *(plain or quoted for plain, quoted in rest))


def _tokens(body: str) -> list[tuple[str, str]] | None:
    tokens: list[tuple[str, str]] = []
    at, end = 0, len(body.rstrip())
    while at < min(end, _LONGEST):
        match = _TOKEN.match(body, at)
        if match is None:
            return None
        kind = match.lastgroup or ""
        tokens.append((kind, match[kind]))
        at = match.end()
    return tokens


@state
class _Reading:
    """One expression on its way, by recursive descent; a mistake makes it unknown."""

    tokens: list[tuple[str, str]]
    lookup: Lookup
    at: int = 0

    def value(self, depth: int) -> Known | Unknown:
        kind, text = self._next()
        if kind == "text":
            return text[1:-1].replace("''", "'")
        if kind == "number":
            return int(text) if re.fullmatch(r"-?\d{1,15}", text) else text
        if kind != "name" or depth > _MAX_DEPTH:
            return UNKNOWN
        if self._take("("):
            given: list[Known | Unknown] = []
            while self.at < len(self.tokens) and not self._take(")"):
                given.append(self.value(depth + 1))
                self._take(",")
            return _call(text.lower(), given)
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        path = [text]
        while self.at < len(self.tokens):
            if self._take("."):
                path.append(self._next()[1])
            elif self._take("["):
                path.append(str(self.value(depth + 1)))
                self._take("]")
            else:
                break
        return self.lookup(path)

    def _next(self) -> tuple[str, str]:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ("", "")

    def _take(self, sign: str) -> bool:
        taken = self.at < len(self.tokens) and self.tokens[self.at] == ("sign", sign)
        self.at += taken
        return taken


def _call(name: str, given: Sequence[Known | Unknown]) -> Known | Unknown:
    truths = [is_true(one) for one in given]
    match name:
        case "and":
            return False if False in truths else UNKNOWN if None in truths else True
        case "or":
            return True if True in truths else UNKNOWN if None in truths else False
        case "not" if len(truths) == 1:
            return UNKNOWN if truths[0] is None else not truths[0]
    known = [one for one in given if not isinstance(one, Unknown)]
    if len(known) != len(given) or name not in _FUNCTIONS or len(known) < 2:
        return UNKNOWN
    return _FUNCTIONS[name]([_plain(one) for one in known])


def _plain(value: Known) -> str:
    return "" if value is None else str(value).lower()


_FUNCTIONS: Mapping[str, Callable[[list[str]], Known]] = {
    "eq": lambda given: given[0] == given[1],
    "ne": lambda given: given[0] != given[1],
    "in": lambda given: given[0] in given[1:],
    "notin": lambda given: given[0] not in given[1:],
    "startswith": lambda given: given[0].startswith(given[1]),
    "endswith": lambda given: given[0].endswith(given[1]),
    "contains": lambda given: given[1] in given[0],
}
