"""`spec:inputs` and `$[[ inputs.x ]]`: puts the values of inputs into a file. Knows no includes and no keyword."""

import re
from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light, replace, state
from burstctl.lint.compose import PSYCH
from burstctl.lint.document import MAX_DEPTH, Entry, Mapping, Scalar, Sequence, Swap, Tagged, Value
from burstctl.lint.file import Span
from burstctl.lint.gitlab.mask import is_masked, unmasked
from burstctl.lint.gitlab.reading import Reading, TooLarge
from burstctl.lint.pipeline import Hit
from burstctl.pattern import pattern

_EXPRESSION = pattern(r"\$\[\[\s*(?P<path>[\w.-]+(?:\[\d+\])*)\s*(?P<functions>(?:\|[^|\]]*)*)\]\]")
_TRUNCATE = pattern(r"truncate\(\s*(\d+)\s*,\s*(\d+)\s*\)")


@light
class Input:
    """One input of a file."""

    value: Value | None
    """None: known only when the pipeline runs."""
    asked: bool = False
    """Whoever starts the pipeline may type any other value."""


Inputs = AbstractMapping[str, Input]


def inputs_of(spec: Value | None, given: Value | None, used_at: Span | None, reading: Reading) -> Inputs:
    """Give each declared input its value: what the include gives, else the default.

    `used_at` is the include; the root file has none, and people fill in its inputs.
    """
    declared = spec.get("inputs") if isinstance(spec, Mapping) else None
    values: dict[str, Input] = {}
    for name, entry in declared.entries.items() if isinstance(declared, Mapping) else ():
        value = given.get(name) if isinstance(given, Mapping) else None
        if value is None and isinstance(entry.value, Mapping):
            value = entry.value.get("default")
        if value is None and used_at is not None:
            message = f"the include gives no value to the input `{name}`, which has no default"
            reading.note(Hit("BL002", used_at, message, key=f"input {name}"))
        bounded = isinstance(entry.value, Mapping) and bool({"options", "regex", "rules"} & entry.value.entries.keys())
        values[name] = Input(value, asked=used_at is None and not bounded)
    return values


@state
class Interpolation:
    """Puts values into one file; what stands behind anchors only once."""

    inputs: Inputs
    closed: bool
    """All inputs are declared here: any other one is a mistake."""
    literal: bool
    """There is no header, so that expressions are mere text."""
    reading: Reading
    _done: dict[int, Value] = field(default_factory=dict)

    def apply(self, value: Value, depth: int = 0) -> Value:
        """Give a value with its expressions replaced."""
        if isinstance(value, Scalar):
            return self._scalar(value)
        if id(value) in self._done:
            return self._done[id(value)]
        if depth > MAX_DEPTH:
            raise TooLarge(f"nested deeper than {MAX_DEPTH} levels", value.span)
        self.reading.spend(1, value.span)
        done: Value
        match value:
            case Sequence():
                done = Sequence(value.span, tuple(self.apply(item, depth + 1) for item in value.items))
            case Tagged():
                done = Tagged(value.span, value.tag, self.apply(value.value, depth + 1))
            case Mapping():
                entries = (Entry(self._key(e.key), self.apply(e.value, depth + 1)) for e in value.entries.values())
                done = Mapping(value.span, {entry.key.text: entry for entry in entries})
        self._done[id(value)] = done
        return done

    def _key(self, key: Scalar) -> Scalar:
        done = self._scalar(key)
        if isinstance(done, Scalar) and not done.unknown:
            return done
        text = unmasked(key.text)
        return replace(key, text=text, value=text)

    def _scalar(self, scalar: Scalar) -> Value:
        if not is_masked(scalar.text):
            return scalar
        written = unmasked(scalar.text)
        if self.literal:
            return replace(scalar, text=written, value=written)
        parts: list[str] = []
        swaps: list[Swap] = []
        at, length, unknown, asked = 0, 0, False, False
        for match in _EXPRESSION.finditer(written):
            value, open_ = self._value(match, scalar)
            asked = asked or open_
            if isinstance(value, Sequence | Mapping):
                if match.span() == (0, len(written)):
                    return value
                value = None
            text = _functions(value.as_text, match["functions"]) if isinstance(value, Scalar) else None
            unknown = unknown or text is None or (isinstance(value, Scalar) and value.unknown)
            if text is None:
                # A variable of the shell is as little known as this.
                text = "$" + re.sub(r"\W", "_", match["path"])
            parts += [written[at : match.start()], text]
            length += match.start() - at
            swaps.append(Swap(length, length + len(text), match.start(), match.end()))
            length += len(text)
            at = match.end()
        self.reading.spend(len(swaps) + length // 10, scalar.span)
        text = "".join(parts) + written[at:]
        plain = text if scalar.style else PSYCH.resolve(text)
        return replace(
            scalar, text=text, value=plain, unknown=unknown, asked=asked, written=written, swaps=tuple(swaps)
        )

    def _value(self, match: re.Match[str], scalar: Scalar) -> tuple[Value | None, bool]:
        """Give what an expression stands for, and whether people may type it."""
        kind, _, path = match["path"].partition(".")
        if kind != "inputs":
            return None, False
        name, *rest = re.split(r"\.|\[|\]\.?", path)
        if name not in self.inputs:
            if self.closed:
                message = f"`{match[0]}` names no input of this file"
                self.reading.note(Hit("BL002", scalar.span, message, key=f"input {name}"))
            return None, False
        value, asked = self.inputs[name].value, self.inputs[name].asked
        for step in filter(None, rest):
            match value:
                case Mapping():
                    value = value.get(step)
                case Sequence() if step.isdecimal() and int(step) < len(value.items):
                    value = value.items[int(step)]
                case _:
                    return None, asked
        return value, asked


def _functions(text: str, functions: str) -> str | None:
    """Apply `| expand_vars | truncate(0,5)…`; None where one is unknown."""
    for function in filter(None, (part.strip() for part in functions.split("|"))):
        if function == "posix_escape":
            import shlex

            text = shlex.quote(text)
        elif match := _TRUNCATE.fullmatch(function):
            text = text[int(match[1]) : int(match[1]) + int(match[2])]
        elif function != "expand_vars":
            return None
    return text
