"""Reads the recipes of a Makefile's targets as one shell text. Knows rules and variables, no functions of make."""

import posixpath
import re

from burstctl.lint.document import Scalar
from burstctl.lint.file import File, Span
from burstctl.lint.follow.place import find_file
from burstctl.lint.job import Script
from burstctl.lint.load import Scene
from burstctl.lint.shell.model import Command
from burstctl.lint.value import expand
from burstctl.pattern import pattern

_NAMES = ("GNUmakefile", "makefile", "Makefile")
_RULE = pattern(r"(?P<targets>[^\s:#=][^:#=\n]*)::?(?!=)\s*(?P<needs>[^#;=\n]*)")
_VARIABLE = pattern(r"(?:export |override )?\s*(?P<name>[\w.-]+)\s*(?P<sign>\?|:{1,3}|\+)?=(?P<value>[^#]*)")
_REFERENCE = pattern(r"\$[({](?P<name>[\w.-]+)[)}]")
_MOST_TARGETS = 200
_LONGEST_LINE = 2000


def read_make(scene: Scene, command: Command) -> tuple[Script, str, dict[str, str], str] | None:
    """Give the recipes of the targets that a `make` names, its first one if it names none."""
    words = [word.text for word in command.arguments]
    folder, name, wanted, given = "", None, [], {}
    place = 0
    while place < len(words):
        word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
        if word in ("-C", "--directory", "-f", "--file", "--makefile"):
            folder, name = (following, name) if word in ("-C", "--directory") else (folder, following)
            place += 1
        elif match := re.fullmatch(r"([\w.-]+)=(.*)", word, re.DOTALL):
            given[match[1]] = expand(match[2], scene)
        elif word in ("-j", "-l", "-o", "-W", "-I") and following.isdigit():
            place += 1
        elif not word.startswith("-"):
            wanted.append(word)
        place += 1
    file = _find(scene, folder, name)
    return None if file is None else _recipes(file, wanted, given)


def _find(scene: Scene, folder: str, name: str | None) -> File | None:
    names = [name] if name else list(_NAMES)
    found = (find_file(scene, posixpath.join(folder, one)) for one in names)
    return next((file for file in found if file is not None), None)


def _recipes(file: File, wanted: list[str], given: dict[str, str]) -> tuple[Script, str, dict[str, str], str] | None:
    rules: dict[str, tuple[list[str], list[int]]] = {}
    variables: dict[str, str] = {}
    current: list[str] = []
    for number, line in enumerate(file.source.lines):
        if line.startswith("\t"):
            for target in current:
                rules[target][1].append(number)
        elif len(line) > _LONGEST_LINE:
            current = []
        elif match := _VARIABLE.match(line):
            if match["sign"] != "?" or match["name"] not in variables:
                variables[match["name"]] = _REFERENCE.sub(r"${\g<name>}", match["value"].strip())
        elif match := _RULE.match(line):
            current = match["targets"].split()
            for target in current:
                rules.setdefault(target, ([], []))[0].extend(match["needs"].split())
    lines = _needed(rules, wanted)
    if not lines:
        return None
    text = _masked(file, lines)
    script = Script.of((Scalar(Span(file, 0, len(file.text)), file.text, file.text),), "recipe", text=text)
    # What the command line sets beats the Makefile, which beats nothing of the job: `?=` leaves that alone.
    names = f"{file.path}:{','.join(wanted)}"
    return script, names, {"MAKE": "make", **variables, **given}, file.path.rpartition("/")[0]


def _needed(rules: dict[str, tuple[list[str], list[int]]], wanted: list[str]) -> set[int]:
    """Give the lines of the recipes of some targets and all that they need."""
    first = next((target for target in rules if not target.startswith(".")), None)
    rest = list(wanted) or ([first] if first else [])
    seen: set[str] = set()
    lines: set[int] = set()
    while rest and len(seen) < _MOST_TARGETS:
        target = rest.pop()
        if target in seen or target not in rules:
            continue
        seen.add(target)
        lines.update(rules[target][1])
        rest.extend(rules[target][0])
    return lines


def _masked(file: File, lines: set[int]) -> str:
    """Blank out all but some lines, and write what is make's in them as the shell would see it, equally long."""
    text = list(re.sub(r"[^\n]", " ", file.text))
    for number in lines:
        start, line = file.source.starts[number], file.source.lines[number].rstrip("\r\n")
        shown = re.sub(r"^\t[@+-]*", lambda match: " " * len(match[0]), line)
        shown = _REFERENCE.sub(lambda match: f"${{{match['name']}}}", shown.replace("$$", " $"))
        text[start : start + len(shown)] = shown
    return "".join(text)
