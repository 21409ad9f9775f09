"""Describes a shell loop: how often, how paced. Knows text and words, no grammar."""

import re
from collections.abc import Iterable, Sequence

from burstctl.light import light
from burstctl.lint.shell.model import Loop
from burstctl.pattern import pattern

_ALWAYS = pattern(r"(true|:|\[\[?\s*(1|true)\s*\]?\]|\(\(\s*1\s*\)\)|/bin/true)\s*;?")
_NEVER = pattern(r"(false|/bin/false)\s*;?")
_C_STYLE = pattern(
    r"\(\(\s*(?:\w+\s*=\s*(?P<from>\d+))?[^;]*;\s*(?P<condition>\w+\s*(?P<sign><=?)\s*(?P<to>\d+)|[^;]*?)\s*;"
)
_SEQ = pattern(r"\bseq\s+(?P<first>\d+)(?:\s+(?P<second>\d+))?(?:\s+(?P<third>\d+))?\s*(?:[`)|;\n]|$)")
_BRACES = pattern(r"\{(?P<first>\d+)\.\.(?P<last>\d+)\}")
_NUMBERS = pattern(r"\bseq\s|\{\d+\.\.[^}]*\}|\bjot\s|\byes\b|(?:^|\s)(?:in|:::)\s+\d+(?:\s+\d+)*\s*;?\s*$")
_TESTED = pattern(r"(\(\(|\[\[?|test\b|let\b)|\bSECONDS\b|\bdate\b")
_DURATION = pattern(r"(?P<number>\d+(?:\.\d*)?|\.\d+)(?P<unit>[smhd]?)")
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_LONGEST = 2000
_COUNTING = pattern(r"\bjobs\b|\bpgrep\b")


@light
class Step:
    """A command that a loop's body runs, and when."""

    words: Sequence[str]
    always: bool
    """Each time round, in the loop's own pace: under no condition, in no inner loop, not in the background."""
    foreground: bool


def describe_loop(kind: str, text: str, body: tuple[int, str], steps: Iterable[Step], start: int) -> Loop:
    """Describe a loop by its text, its body's place in that and text, and all commands that the body runs."""
    at, inside = body
    header = text[: min(at, _LONGEST)]
    keyword, _, rest = header.partition(" ")
    rest = rest.strip()
    steps = list(steps)
    c_style = _C_STYLE.search(header)
    if kind == "while_statement":
        endless = bool((_NEVER if keyword == "until" else _ALWAYS).fullmatch(rest))
        repeats = endless or bool(_TESTED.search(rest))
    else:
        endless = bool(kind == "c_style_for_statement" and c_style and not c_style["condition"].strip())
        repeats = kind == "c_style_for_statement" or is_counting(rest)
    names = {step.words[0] for step in steps if step.words}
    return Loop(
        kind=keyword if keyword in ("while", "until") else "for",
        start=start,
        end=start + len(text),
        body=start + at,
        header=rest,
        endless=endless and not names & {"break", "exit", "return"},
        repeats=repeats,
        count=_count(rest, c_style),
        sleep_s=_pause_s(steps),
        waits=any(step.foreground and step.words[:1] == ["wait"] for step in steps) or bool(_COUNTING.search(inside)),
    )


def is_counting(text: str) -> bool:
    """Tell whether a text goes through numbers: whatever is done for each of them is the same thing again."""
    return bool(_NUMBERS.search(text))


def read_sleep_s(words: Sequence[str]) -> float | None:
    """Read how long `sleep` and its kin pause; None for not at all, 0 where that isn't known."""
    total = 0.0
    for word in words[1:]:
        match = _DURATION.fullmatch(word.strip("\"'"))
        if match is None:
            return 0.0
        total += float(match["number"]) * _UNITS[match["unit"]]
    if len(words) < 2 or not total:
        return None
    return total / 1e6 if words[0].endswith("usleep") else total


def _pause_s(steps: Iterable[Step]) -> float | None:
    """Add up the pauses of each time round; one under a condition is a pause of unknown length."""
    sure, maybe = 0.0, False
    for step in steps:
        if not step.foreground or not step.words or step.words[0].rpartition("/")[2] not in ("sleep", "usleep"):
            continue
        pause_s = read_sleep_s(step.words)
        if pause_s and step.always:
            sure += pause_s
        elif pause_s is not None:
            maybe = True
    return sure or (0.0 if maybe else None)


def _count(header: str, c_style: re.Match[str] | None) -> int | None:
    if c_style and c_style["to"]:
        return _number(c_style["to"]) - _number(c_style["from"] or "0") + (c_style["sign"] == "<=")
    if found := _SEQ.search(header):
        first, second, third = found["first"], found["second"], found["third"]
        if third:
            return (_number(third) - _number(first)) // max(1, _number(second)) + 1
        return _number(second) - _number(first) + 1 if second else _number(first)
    if found := _BRACES.search(header):
        return abs(_number(found["last"]) - _number(found["first"])) + 1
    match = re.search(r"\bin\s+(\d+(?:\s+\d+)*)\s*;?\s*$", header)
    return len(match[1].split()) if match else None


def _number(digits: str) -> int:
    """Read a number; longer ones than any loop could count cost quadratic time to read."""
    return int(digits[:12])
