"""Reads the options of a command line. Knows neither tools nor what options mean."""

from collections.abc import Sequence

from burstctl.light import light
from burstctl.lint.load import Scene
from burstctl.lint.shell.model import Command, Word
from burstctl.lint.value import expand, is_known
from burstctl.units import parse_rate

QUIET = frozenset(
    {"--version", "-V", "--help", "-h", "version", "help", "-version", "-help", "--print-supported-units"}
)
_UNLIMITED = frozenset({"0", "inf", "infinity", "-1", "max", "0/s", "0/1s", "unlimited", "none"})


@light
class Given:
    """An option's value, with where it stands."""

    text: str
    """Variables replaced as far as they are known."""
    word: Word

    @property
    def known(self) -> bool:
        return is_known(self.text)

    @property
    def unlimited(self) -> bool:
        """It is the tool's word for as fast as it can."""
        return self.text.strip().lower() in _UNLIMITED


def find(command: Command, names: Sequence[str], scene: Scene) -> Given | None:
    """Give the value of the first of some options that a command has: `-q 5`, `--rate=5`, `-q5`."""
    words = command.arguments
    for place, word in enumerate(words):
        for name in names:
            if word.text == name and place + 1 < len(words):
                return Given(expand(words[place + 1].text, scene), words[place + 1])
            if word.text.startswith(f"{name}="):
                return Given(expand(word.text[len(name) + 1 :], scene), word)
            short = len(name) == 2 and name[1] != "-"
            if short and word.text.startswith(name) and word.text[2:3].isdigit():
                return Given(expand(word.text[2:], scene), word)
    return None


def has(command: Command, names: Sequence[str]) -> bool:
    """Tell whether a command has one of some words."""
    return any(word.text.partition("=")[0] in names for word in command.arguments)


def is_quiet(command: Command) -> bool:
    """Tell whether a command only says something of itself."""
    return not command.arguments or any(word.text in QUIET for word in command.arguments)


def number(given: Given | None, otherwise: int | None) -> int | None:
    """Read a whole number; `otherwise` where there is none, None where it isn't known."""
    if given is None:
        return otherwise
    digits = given.text[:9]
    return int(digits) if digits.isascii() and digits.isdecimal() else None


def read_rate(text: str) -> float | None:
    """Read a rate as load generators take it, `50`, `50/s` or `50/1m`; None for what is no rate."""
    amount, slash, unit = text.strip().partition("/")
    unit = unit.removeprefix("1")
    try:
        return parse_rate(f"{amount}/{unit}" if slash else amount)
    except ValueError:
        return None
