"""Reads systemd units, templates of them and their drop-ins. Knows the keys that start a server."""

from collections.abc import Iterator

from burstctl.light import light
from burstctl.lint.file import File, Span
from burstctl.lint.fleet import Fleet, Place, Server, Setting, Unit
from burstctl.lint.project import Project, Refused
from burstctl.lint.serving.command import find_starts
from burstctl.lint.serving.found import complete
from burstctl.lint.serving.words import as_word, read_shell
from burstctl.pattern import pattern

_SECTION = pattern(r"\s*\[(?P<name>[^\]]+)\]\s*")
_ENTRY = pattern(r"[ \t]*(?P<key>\w+)[ \t]*=[ \t]*")
_ASSIGNMENT = pattern(r"""(?P<quote>["']?)(?P<name>\w+)=(?P<value>(?:(?!(?P=quote)).)*|\S*)(?P=quote)(?=\s|$)""")
_PREFIXES = "@-:+!|"


@light
class Entry:
    """One `Key=value` of a section; the value may go on over several lines."""

    section: str
    key: str
    value: Span


@light
class Text:
    """A unit's text, in entries."""

    file: File
    entries: tuple[Entry, ...]
    sections: dict[str, Span]

    def last(self, section: str, key: str) -> Span | None:
        """Give the value that counts."""
        found = [one.value for one in self.entries if (one.section, one.key) == (section, key)]
        return found[-1] if found else None


def read_text(file: File) -> Text:
    """Split a unit into its entries; comments and what is neither are left out."""
    entries: list[Entry] = []
    sections: dict[str, Span] = {}
    section, at, text = "", 0, file.text
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].rstrip()
        if match := _SECTION.fullmatch(line):
            section = match["name"]
            sections.setdefault(section, Span(file, at, at + len(line)))
        elif not line.lstrip().startswith(("#", ";")) and (match := _ENTRY.match(text, at, end)):
            end = _value_end(text, end)
            entries.append(
                Entry(
                    section, match["key"], Span(file, match.end(), match.end() + len(text[match.end() : end].rstrip()))
                )
            )
        at = end + 1
    return Text(file, tuple(entries), sections)


def _value_end(text: str, end: int) -> int:
    """Find the end of a value whose lines end in a backslash."""
    while text[:end].rstrip("\r").endswith("\\") and end < len(text):
        following = text.find("\n", end + 1)
        end = len(text) if following < 0 else following
    return end


def read_unit(file: File, project: Project) -> tuple[Fleet, list[File]]:
    """Give the servers that a unit starts, with all files that were read for it."""
    text = read_text(file)
    files = [file]
    entries = list(text.entries)
    for path in project.find(f"{file.path}.d/*.conf"):
        if drop_in := _read(path, project):
            files.append(drop_in)
            entries.extend(read_text(drop_in).entries)
    text = Text(file, tuple(entries), text.sections)
    environment, doubt = _environment(text, project, files)
    servers: list[Server] = []
    commands = _commands(text)
    for command in commands:
        start = command.start + len(command.text) - len(command.text.lstrip(_PREFIXES))
        for one in find_starts(read_shell(command.file, start, command.end)):
            server, configuration = complete(one, Place.UNIT, environment, project, file.path, doubt)
            servers.append(server)
            files.extend([configuration] if configuration else [])
    return Fleet(servers=tuple(servers), units=tuple(_units(text, commands)) if servers else ()), files


def _units(text: Text, commands: list[Span]) -> Iterator[Unit]:
    kind = text.last("Service", "Type")
    section = text.sections.get("Service")
    if section is None or (kind and kind.text == "oneshot"):
        return
    restart = text.last("Service", "Restart")
    last = commands[-1] if commands[-1].file is text.file else section
    yield Unit(
        text.file.path.rpartition("/")[2],
        section,
        as_word(restart.text, restart) if restart else None,
        Span(text.file, last.end, last.end),
    )


def _commands(text: Text) -> list[Span]:
    """Give the commands that the unit runs; an empty one takes back those before it."""
    found: list[Span] = []
    for entry in text.entries:
        if (entry.section, entry.key) == ("Service", "ExecStart"):
            found = [*found, entry.value] if entry.value.text else []
    return found


def _environment(text: Text, project: Project, files: list[File]) -> tuple[dict[str, Setting], str]:
    """Give the variables that a unit sets, and which of its files of variables can't be read."""
    known: dict[str, Setting] = {}
    doubt = ""
    for entry in text.entries:
        if entry.section != "Service":
            continue
        if entry.key == "Environment":
            known.update(_assignments(entry.value))
        elif entry.key == "EnvironmentFile":
            path = entry.value.text.lstrip("-")
            file = _read(path.rpartition("/")[2], project) or _read(
                f"{text.file.path.rpartition('/')[0]}/{path.rpartition('/')[2]}", project
            )
            if file is None:
                doubt = f"EnvironmentFile={path} isn't here"
                continue
            files.append(file)
            for line in range(1, len(file.source.lines) + 1):
                known.update(_assignments(file.line_span(line)))
    return known, doubt


def _assignments(span: Span) -> Iterator[tuple[str, Setting]]:
    if span.text.lstrip().startswith(("#", ";")):
        return
    for match in _ASSIGNMENT.finditer(span.text):
        value = Span(span.file, span.start + match.start("value"), span.start + match.end("value"))
        yield match["name"], as_word(match["value"].strip("\"'"), value)


def _read(path: str, project: Project) -> File | None:
    try:
        return project.read(path.lstrip("/"))
    except Refused:
        return None
