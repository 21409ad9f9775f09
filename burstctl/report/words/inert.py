"""Makes text from servers and manifests harmless on terminals and in CI logs. Knows no colours and no layout."""

import re

# Azure DevOps, TeamCity and GitHub's older runners obey these anywhere in a line.
_LOG_COMMAND = re.compile(r"##(?=\w*\[)")
# GitHub obeys these at the start of a line, behind blanks too.
_LINE_COMMAND = re.compile(r"^((?:[ \t]|\x1b\[[\d;]*m)*)(?=::)", re.MULTILINE)


def inert(text: str, limit: int | None = None) -> str:
    """Give `text` as one line without control or invisible characters, of at most `limit` characters."""
    line = " ".join(escape(text).split())
    line = _LOG_COMMAND.sub("# #", line)
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def escape(text: str) -> str:
    """Write control and invisible characters out; blanks stay as many as they are."""
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else ascii(character)[1:-1]


def disarm_lines(text: str) -> str:
    """Escape what would be a command at the start of a line, wherever wrapping has put it."""
    return _LINE_COMMAND.sub(r"\1\\", text)


def disarm_json(text: str) -> str:
    """Escape in a JSON text what CI systems obey anywhere in a line; it stays the same document."""
    return text.replace("##", "#\\u0023")
