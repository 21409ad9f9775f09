"""Command lines in files of any kind, as words with places. Knows shell text and JSON arrays, no server."""

import json
from collections.abc import Iterator, Mapping

from burstctl.light import field, light
from burstctl.lint.file import File, Span
from burstctl.lint.fleet import Setting
from burstctl.lint.shell.model import Command, Shell, Word
from burstctl.pattern import pattern

_TEMPLATE = pattern(r"[$`]|\{\{|\}\}|\{%|<%|%\(|@@|%[a-zA-Z]")
_NAME_ONLY = pattern(r"\$(?:(\w+)|\{(\w+)\})")
_JSON_TEXT = pattern(r'"(?:[^"\\]|\\.)*"')


@light
class Line:
    """One command, as it stands in a file."""

    span: Span
    words: tuple[Setting, ...]
    environment: Mapping[str, Setting] = field(default_factory=dict)
    """Variables that the command's own text sets."""

    @property
    def texts(self) -> list[str]:
        """Give the words, an unknown one as it is written."""
        return [str(word.value) if word.known else word.span.text.strip("\"'") for word in self.words]


def read_shell(file: File, start: int, end: int) -> Iterator[Line]:
    """Read a piece of a file as shell text: wrappers such as `exec`, `env` and `bash -c` are taken off."""
    from burstctl.lint.shell.parse import parse

    shell = parse(file.text[start:end])
    for command in shell.commands:
        yield _line(command, shell, file, start)


def read_array(file: File, start: int, end: int) -> list[Setting]:
    """Read a JSON array of texts, with a place for each."""
    found: list[Setting] = []
    for match in _JSON_TEXT.finditer(file.text, start, end):
        try:
            text = json.loads(match[0])
        except ValueError:
            return []
        found.append(as_word(text, Span(file, match.start() + 1, match.end() - 1)))
    return found


def as_word(text: str, span: Span) -> Setting:
    """Take a word as it is; one with a template's or a shell's expansion in it is unknown."""
    known = _TEMPLATE.search(text) is None
    return Setting(span, text if known else None, known, literal=span.text == text)


def _line(command: Command, shell: Shell, file: File, start: int) -> Line:
    def place(word: Word | Command) -> Span:
        return Span(file, word.start + start, word.end + start)

    def setting(word: Word) -> Setting:
        match = _NAME_ONLY.fullmatch(word.text)
        values = shell.assignments.get(match[1] or match[2], ()) if match else ()
        if len(values) == 1 and values[0].static:
            name = word.text.strip("${}")
            return Setting(place(word), values[0].text, source=f"from ${name} (line {place(values[0]).begins.line})")
        return as_word(word.text, place(word))

    sets = {name: setting(words[-1]) for name, words in shell.assignments.items() if words}
    sets |= {name: setting(word) for name, word in command.environment.items()}
    return Line(place(command), tuple(map(setting, command.argv)), sets)
