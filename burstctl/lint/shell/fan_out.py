"""Reads how many at once `xargs` and GNU `parallel` start. Knows their options only."""

import re
from collections.abc import Sequence

from burstctl.lint.shell.loop import is_counting, read_sleep_s
from burstctl.lint.shell.model import Command, FanOut, Word
from burstctl.pattern import pattern

_DEGREE = ("-P", "-j", "--jobs", "--max-procs")
_JOINED = pattern(r"(?:-P|-j|--max-procs=|--jobs=)(\S+)")


def fan_out_of(command: Command, own: int) -> FanOut | None:
    """Tell how `xargs` or `parallel`, whose first `own` words are its own, spreads; None where it doesn't."""
    if command.name not in ("xargs", "parallel"):
        return None
    words = [word.text for word in command.argv[:own]]
    given = _value(words, _DEGREE, _JOINED)
    if given is None and command.name == "xargs":
        return None
    source = " ".join(word.text for word in command.argv[own:])
    pause = _value(words, ("--delay",), re.compile(r"--delay=?(\S+)"))
    return FanOut(
        command.name,
        int(given[:9]) if given is not None and given.isdecimal() else None,
        command.start,
        command.end,
        repeats=is_counting(command.fed_by) or is_counting(source[source.find(":::") :] if ":::" in source else ""),
        delay_s=read_sleep_s(["sleep", pause]) if pause else None,
    )


def without_sources(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Take away the arguments that `parallel` goes through, and read a command that it is given as one text."""
    end = next((place for place, word in enumerate(words) if word.text.startswith(":::")), len(words))
    words = words[:end]
    if len(words) != 1 or " " not in words[0].text:
        return words
    whole = words[0]
    return tuple(Word(part.strip("\"'"), whole.start, whole.end, "$" not in part) for part in whole.text.split())


def _value(words: Sequence[str], options: Sequence[str], joined: re.Pattern[str]) -> str | None:
    for place, word in enumerate(words):
        if word in options:
            return words[place + 1] if place + 1 < len(words) else ""
        if match := joined.fullmatch(word):
            return match[1]
    return None
