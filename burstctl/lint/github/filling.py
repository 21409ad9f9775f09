"""Puts the values of expressions into texts: known ones as they are, others as shell variables. Knows no keyword."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from burstctl.light import field, replace, state
from burstctl.lint.document import Scalar
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.github.expression import EXPRESSION, Result, evaluate, paths_in
from burstctl.lint.github.operand import UNKNOWN, text_of
from burstctl.lint.github.scope import Scope
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Variable
from burstctl.pattern import pattern
from burstctl.secret import is_secret_name

EVALUATION_COST = 3
_LONGEST_NAME = 60
_VARYING = pattern(r"matrix|strategy|inputs", re.IGNORECASE)


def text_result(scalar: Scalar, scope: Scope) -> Result:
    """Give a scalar's value in one instance; a text with an unknown part keeps what is known around it."""
    if "${{" not in scalar.text:
        return Result(scalar.value if not isinstance(scalar.value, str) else scalar.text)
    whole = EXPRESSION.fullmatch(scalar.text.strip())
    if whole:
        return evaluate(whole["body"], scope.lookup)
    seen: list[Result] = []

    def put(match: re.Match[str]) -> str:
        seen.append(evaluate(match["body"], scope.lookup))
        value = seen[-1].value
        return text_of(value) if seen[-1].known else f"${{{name_of(match['body'])}}}"

    text = EXPRESSION.sub(put, scalar.text)
    return Result(text, any(one.asked for one in seen), next((one.key for one in seen if one.key), None))


def name_of(body: str, *, whole: bool = False) -> str:
    """Give the name of the shell variable that stands for an expression: `inputs_rate` for `inputs.rate || 50`."""
    paths = paths_in(body)
    if len(paths) == 1 and not whole:
        path = paths[0].removeprefix("github.event.")
        return path[4:] if re.fullmatch(r"env\.\w+", path) else re.sub(r"\W", "_", path)
    plain = re.sub(r"\W+", "_", body).strip("_")[:_LONGEST_NAME]
    return plain if plain[:1].isalpha() else f"expression_{plain}"


@state
class Filling:
    """The texts of one job, in all of its instances, and the variables that stand in them for expressions."""

    scopes: Sequence[Scope]
    gathered: Gathered
    variables: dict[str, Variable] = field(default_factory=dict)
    values: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    """What each variable is in each instance."""
    numbering: set[str] = field(default_factory=set)
    """The variables that tell how many instances there are."""

    def fill(self, scalar: Scalar, scopes: Sequence[Scope] | None = None) -> Scalar:
        """Replace the expressions of a script, or of a text that becomes a part of one."""
        if "${{" not in scalar.text:
            return scalar
        known: dict[str, Piece] = {}

        def meaning(match: re.Match[str]) -> Piece:
            if match["body"] not in known:
                known[match["body"]] = self._piece(match, scalar, scopes or self.scopes)
            return known[match["body"]]

        return interpolate(scalar, EXPRESSION, meaning)

    def _piece(self, match: re.Match[str], scalar: Scalar, scopes: Sequence[Scope]) -> Piece:
        body = match["body"]
        if re.fullmatch(r"\s*env\.\w+\s*", body):
            return Piece(f"${{{name_of(body)}}}")
        results = results_in(body, scopes)
        self.gathered.spend(EVALUATION_COST * len(results), scalar.span)
        first = results[0]
        values = tuple(text_of(one.value) if one.known else None for one in results)
        total = "strategy.job-total" in body
        name = name_of(body)
        plain = not (first.asked or total or is_secret_name(name))
        if first.known and plain and len(set(values)) == 1:
            return Piece(values[0] or "")
        if self.values.get(name, values) != values:
            name = name_of(body, whole=True)
        if total:
            self.numbering.add(name)
        if name not in self.variables and any(value is not None for value in values):
            self._remember(name, values, first, scalar.locate(match.start(), match.end()))
        return Piece(f"${{{name}}}", unknown=None in values, asked=first.asked)

    def _remember(self, name: str, values: tuple[str | None, ...], first: Result, span: Span) -> None:
        self.values[name] = values
        level = "matrix" if len(set(values)) > 1 else "input"
        key = first.key or span
        self.variables.setdefault(name, Variable(name, values[0], key, key, level, asked=first.asked))

    def env(
        self, entries: Mapping[str, tuple[Scalar, Span]], level: str, scopes: Sequence[Scope]
    ) -> tuple[dict[str, Variable], list[Scope]]:
        """Work out one `env`: its variables, and the instances that know them."""
        found: dict[str, Variable] = {}
        added: list[dict[str, Result]] = [{} for _ in scopes]
        for name, (scalar, key) in entries.items():
            varies = len(scopes) > 1 and "${{" in scalar.text and any(map(_may_vary, _bodies(scalar.text)))
            results = [text_result(scalar, one) for one in (scopes if varies else scopes[:1])]
            self.gathered.spend(EVALUATION_COST * len(results), scalar.span)
            values = tuple(_env_text(one, scalar) for one in results)
            for place, one in enumerate(added):
                result = results[place if varies else 0]
                one[name] = replace(result, value=_env_text(result, scalar) if result.known else UNKNOWN)
            if "strategy.job-total" in scalar.text:
                self.numbering.add(name)
            varying = len(set(values)) > 1
            if varying:
                self.values[name] = values
            found[name] = Variable(
                name, values[0], scalar.span, key, "matrix" if varying else level, scalar, asked=results[0].asked
            )
        return found, [scope.with_env(one) for scope, one in zip(scopes, added, strict=True)] if entries else [*scopes]


def results_in(body: str, scopes: Sequence[Scope]) -> list[Result]:
    """Work an expression out in each instance; once, where it can't differ."""
    return [evaluate(body, one.lookup) for one in (scopes if _may_vary(body) else scopes[:1])]


def _may_vary(body: str) -> bool:
    return bool(_VARYING.search(body)) or "env." in body


def _bodies(text: str) -> list[str]:
    return [match["body"] for match in EXPRESSION.finditer(text)]


def _env_text(result: Result, scalar: Scalar) -> str | None:
    if not result.known:
        return None
    value: Any = result.value
    return scalar.as_text if "${{" not in scalar.text else text_of(value)
