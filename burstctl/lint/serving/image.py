"""Reads Dockerfiles as far as it matters what their last stage runs. Knows no server and builds nothing."""

import re
from collections.abc import Iterator

from burstctl.light import field, light, replace
from burstctl.lint.file import File, Span
from burstctl.lint.fleet import Fleet, Place, Server, Setting
from burstctl.lint.project import Project
from burstctl.lint.serving.command import find_starts
from burstctl.lint.serving.found import complete
from burstctl.lint.serving.words import Line, as_word, read_array, read_shell
from burstctl.pattern import pattern

_INSTRUCTION = pattern(r"[ \t]*(?P<word>[A-Za-z]+)[ \t]+")
_FROM = pattern(r"(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<name>\S+))?", re.IGNORECASE)
_HEREDOC = pattern(r"<<-?[\"']?(?P<word>\w+)[\"']?")
_PAIR = pattern(r"""(?P<name>\w+)=(?P<value>"[^"]*"|'[^']*'|\S*)""")
_INTERPRETERS = frozenset({"sh", "bash", "/bin/sh", "/bin/bash"})


@light
class Stage:
    """One stage of a build, with what it inherits from an earlier one."""

    entry: Span | None = None
    command: Span | None = None
    environment: dict[str, Setting] = field(default_factory=dict)


def read_image(file: File, project: Project) -> tuple[Fleet, list[File]]:
    """Give the server that the last stage runs, with all files that were read for it."""
    stage = _last_stage(file)
    servers: list[Server] = []
    files = [file]
    for start in find_starts(_lines(stage)):
        server, configuration = complete(start, Place.IMAGE, stage.environment, project, file.path)
        servers.append(server)
        files.extend([configuration] if configuration else [])
    return Fleet(servers=tuple(servers)), files


def _last_stage(file: File) -> Stage:
    stages: dict[str, Stage] = {}
    stage, name = Stage(), ""
    for word, value in _instructions(file):
        match word:
            case "FROM" if found := _FROM.match(value.text):
                stages[name] = stage
                name = (found["name"] or str(len(stages))).lower()
                earlier = stages.get(found["image"].lower(), Stage())
                stage = replace(earlier, environment=dict(earlier.environment))
            case "ENTRYPOINT":  # a command that an image inherits goes with the entry point that it inherits
                stage = replace(stage, entry=value, command=None)
            case "CMD":
                stage = replace(stage, command=value)
            case "ENV":
                stage.environment.update(_variables(value))
    return stage


def _instructions(file: File) -> Iterator[tuple[str, Span]]:
    """Give each instruction with its arguments; those that a here-document holds are none."""
    text, at = file.text, 0
    while at < len(text):
        end = _line_end(text, at)
        if (match := _INSTRUCTION.match(text, at, end)) and not text[at:end].lstrip().startswith("#"):
            while text[at:end].rstrip().endswith("\\") and end < len(text):
                end = _line_end(text, end + 1)
            value = Span(file, match.end(), match.end() + len(text[match.end() : end].rstrip()))
            word = match["word"].upper()
            yield word, value
            if word in ("RUN", "COPY", "ADD"):
                for document in _HEREDOC.finditer(value.text):
                    stop = re.compile(rf"^\s*{document['word']}\s*$", re.MULTILINE).search(text, end)
                    end = stop.end() if stop else len(text)
        at = end + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _variables(value: Span) -> Iterator[tuple[str, Setting]]:
    pairs = list(_PAIR.finditer(value.text))
    if not pairs:
        name, _, rest = value.text.partition(" ")
        yield name, as_word(rest.strip(), value)
    for pair in pairs:
        span = Span(value.file, value.start + pair.start("value"), value.start + pair.end("value"))
        yield pair["name"], as_word(pair["value"].strip("\"'"), span)


def _lines(stage: Stage) -> Iterator[Line]:
    """Give what a container runs: the entry point with the command as its arguments, or one of them alone."""
    entry, command = stage.entry, stage.command
    if entry is None or not entry.text.startswith("["):
        shown = entry or command
        if shown is not None:
            yield from _one(shown)
        return
    words = read_array(entry.file, entry.start, entry.end)
    more = read_array(command.file, command.start, command.end) if command and command.text.startswith("[") else []
    runs = list(_one(entry)) if not more else [Line(entry, (*words, *more))]
    yield from runs
    if command is not None and words and not any(True for _ in find_starts(iter(runs))):
        yield from _one(command)  # entry points such as tini or entrypoint.sh run the command that they are given


def _one(value: Span) -> Iterator[Line]:
    if not value.text.startswith("["):
        yield from read_shell(value.file, value.start, value.end)
        return
    words = read_array(value.file, value.start, value.end)
    if len(words) == 3 and words[0].value in _INTERPRETERS and str(words[1].span.text).startswith("-"):
        script = words[2].span
        yield from read_shell(script.file, script.start, script.end)
    else:
        yield Line(value, tuple(words))
