"""Works out `${{ … }}` as far as files tell; what only the running job knows stays unknown. Knows no context's name."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from burstctl.light import light, state
from burstctl.lint.file import Span
from burstctl.lint.github.function import FUNCTIONS, inside
from burstctl.lint.github.operand import UNKNOWN, compare, is_true, loosely_equal, text_of
from burstctl.pattern import pattern

EXPRESSION = pattern(r"\$\{\{(?P<body>[^{}']*(?:'[^']*'[^{}']*)*)\}\}")
"""No brace stands outside of quotes within one."""
LONGEST = 2000
MAX_DEPTH = 30
_TOKEN = pattern(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>[-+]?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?))"
    r"|(?P<name>[A-Za-z_][\w-]*)|(?P<sign>&&|\|\||[=!<>]=|[!<>()\[\],.*]))"
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "nan": UNKNOWN, "infinity": UNKNOWN}


@light
class Result:
    """What an expression comes to."""

    value: Any = UNKNOWN
    """JSON's values, or `UNKNOWN`."""
    asked: bool = False
    """Whoever starts the workflow may type any other value for some of it."""
    key: Span | None = None
    """Where the input stands that it is from."""

    @property
    def known(self) -> bool:
        return self.value is not UNKNOWN


Lookup = Callable[[Sequence[str]], Result]
"""Gives what a context's path stands for, `("inputs", "rate")`."""


class _Broken(Exception):  # noqa: N818 - it says what the expression is
    """An expression beyond the grammar, or beyond all bounds."""


def evaluate(body: str, lookup: Lookup, *, guess: bool = True) -> Result:
    """Work out what stands between the braces; `guess` takes `unknown || default` for the default."""
    if len(body) > LONGEST:
        return Result()
    try:
        tokens = _tokens(body)
        reading = _Reading(tokens, lookup, guess)
        result = reading.either(0)
        return result if reading.at == len(tokens) else Result()
    except _Broken:
        return Result()


def paths_in(body: str) -> list[str]:
    """Give the paths of contexts that an expression reads, `inputs.rate`."""
    unquoted = re.sub(r"'[^']*'", "''", body[:LONGEST])
    found = re.finditer(r"(?<![\w.'-])[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+", unquoted)
    return list(dict.fromkeys(match[0] for match in found))


def _tokens(body: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    at, end = 0, len(body.rstrip())
    while at < end:
        match = _TOKEN.match(body, at)
        if match is None:
            raise _Broken
        kind = match.lastgroup or ""
        tokens.append((kind, match[kind]))
        at = match.end()
    return tokens


@state
class _Reading:
    """One expression on its way, by recursive descent."""

    tokens: list[tuple[str, str]]
    lookup: Lookup
    guess: bool
    at: int = 0

    def either(self, depth: int) -> Result:
        left = self._both(depth)
        while self._take("||"):
            left = self._or(left, self._both(depth))
        return left

    def _or(self, left: Result, right: Result) -> Result:
        asked = left.asked or right.asked
        if left.known:
            return _with(left if is_true(left.value) else right, asked, left.key)
        usable = right.known and (self.guess or (is_true(right.value) and isinstance(right.value, bool)))
        return Result(right.value if usable else UNKNOWN, asked, left.key or right.key)

    def _both(self, depth: int) -> Result:
        left = self._compared(depth)
        while self._take("&&"):
            right = self._compared(depth)
            asked = left.asked or right.asked
            if left.known:
                left = _with(right if is_true(left.value) else left, asked, left.key)
            else:
                left = Result(False if right.known and right.value is False else UNKNOWN, asked, left.key)
        return left

    def _compared(self, depth: int) -> Result:
        left = self._unary(depth)
        while (sign := self._peek()) in ("==", "!=", "<", "<=", ">", ">="):
            self.at += 1
            right = self._unary(depth)
            value: Any = UNKNOWN
            if left.known and right.known:
                equal = sign in ("==", "!=")
                value = (
                    loosely_equal(left.value, right.value) == (sign == "==")
                    if equal
                    else compare(left.value, sign, right.value)
                )
            left = Result(value, left.asked or right.asked)
        return left

    def _unary(self, depth: int) -> Result:
        if depth > MAX_DEPTH:
            raise _Broken
        if self._take("!"):
            inner = self._unary(depth + 1)
            return Result(not is_true(inner.value) if inner.known else UNKNOWN, inner.asked)
        if self._take("("):
            inner = self.either(depth + 1)
            self._expect(")")
            return inner
        kind, text = self._next()
        if kind == "text":
            return Result(text[1:-1].replace("''", "'"))
        if kind == "number":
            return Result(int(text, 16) if "x" in text else _plain(float(text)))
        if kind != "name":
            raise _Broken
        if self._take("("):
            return self._called(text.lower(), depth)
        if self._peek() not in (".", "[") and text.lower() in _WORDS:
            return Result(_WORDS[text.lower()])
        return self._path(text, depth)

    def _called(self, name: str, depth: int) -> Result:
        given: list[Result] = []
        while not self._take(")"):
            if given:
                self._expect(",")
            given.append(self.either(depth + 1))
        asked = any(one.asked for one in given)
        key = next((one.key for one in given if one.key), None)
        if name not in FUNCTIONS or not all(one.known for one in given):
            result = Result(UNKNOWN, asked, key)
        else:
            result = Result(FUNCTIONS[name]([one.value for one in given]), asked, key)
        return self._within(result, depth)

    def _path(self, first: str, depth: int) -> Result:
        path = [first.lower()]
        while True:
            if self._take("."):
                kind, text = self._next()
                if kind != "name" and text != "*":
                    raise _Broken
                path.append(text)
            elif self._take("["):
                inner = self.either(depth + 1) if self._peek() != "*" else Result(self._next()[1])
                self._expect("]")
                if not inner.known:
                    return self._within(Result(UNKNOWN, inner.asked), depth)
                path.append(text_of(inner.value))
            else:
                return Result() if "*" in path else self.lookup(path)

    def _within(self, result: Result, depth: int) -> Result:
        """Follow keys into what a function gives: `fromJSON(…)[0].rate`."""
        while True:
            if self._take("."):
                key: Any = self._next()[1]
            elif self._take("["):
                key = self.either(depth + 1).value
                self._expect("]")
            else:
                return result
            result = Result(inside(result.value, key), result.asked, result.key)

    def _peek(self) -> str | None:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return text if kind == "sign" else None

    def _next(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise _Broken
        self.at += 1
        return self.tokens[self.at - 1]

    def _take(self, sign: str) -> bool:
        taken = self._peek() == sign
        self.at += taken
        return taken

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise _Broken


def _with(result: Result, asked: bool, key: Span | None) -> Result:
    return Result(result.value, asked, result.key or key)


def _plain(number: float) -> Any:
    return int(number) if number.is_integer() and abs(number) < 1e15 else number
