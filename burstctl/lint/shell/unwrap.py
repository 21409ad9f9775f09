"""Takes wrappers off a command: `sudo`, `timeout 5m`, `env X=y`, `bash -c '…'`, `xargs -P`. Knows no load tools."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from burstctl.light import replace
from burstctl.lint.shell.fan_out import fan_out_of, without_sources
from burstctl.lint.shell.model import Command, Word
from burstctl.lint.shell.remote import inside_container

Inner = Callable[[Word], Sequence[Command]]
"""Reads a text that a shell is given as an argument."""

_MAX_WRAPPERS = 8

# The options that take a value of their own, and how many plain arguments come before the command.
_WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    "sudo": (frozenset({"-u", "-g", "-h", "-p", "-C", "-T", "--user", "--group"}), 0),
    "nohup": (frozenset(), 0),
    "time": (frozenset({"-f", "-o"}), 0),
    "exec": (frozenset({"-a"}), 0),
    "command": (frozenset(), 0),
    "nice": (frozenset({"-n"}), 0),
    "ionice": (frozenset({"-c", "-n"}), 0),
    "stdbuf": (frozenset({"-i", "-o", "-e"}), 0),
    "setsid": (frozenset(), 0),
    "timeout": (frozenset({"-k", "-s", "--signal", "--kill-after"}), 1),
    "taskset": (frozenset({"-c"}), 1),
    "env": (frozenset({"-u", "-C", "--unset", "--chdir"}), 0),
    "npx": (frozenset({"-p", "--package", "-c", "--call"}), 0),
    "pipx": (frozenset({"--spec", "--python"}), 1),
    "poetry": (frozenset(), 1),
    "uv": (frozenset({"--with", "--python", "-p"}), 1),
    "uvx": (frozenset({"--from", "--with", "--python", "-p"}), 0),
    "pdm": (frozenset(), 1),
    "hatch": (frozenset(), 1),
    "bundle": (frozenset(), 1),
    "doas": (frozenset({"-u"}), 0),
    "gosu": (frozenset(), 1),
    "retry": (frozenset({"-t", "-d", "-n", "--times", "--delay"}), 0),
    "xargs": (
        frozenset({"-P", "-n", "-I", "-L", "-d", "-a", "-s", "-E", "--max-procs", "--max-args", "--delimiter"}),
        0,
    ),
    "parallel": (
        frozenset({"-j", "--jobs", "-P", "-n", "-N", "-a", "--delay", "--joblog", "--timeout", "-I", "--retries"}),
        0,
    ),
}
_RUNNERS = {"pipx": {"run"}, "poetry": {"run"}, "uv": {"run"}, "pdm": {"run"}, "hatch": {"run"}, "bundle": {"exec"}}
"""The one word that makes these a wrapper."""
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh"})
_LONGEST = 4096


def unwrap(
    command: Command, inner: Inner, document: Word | None, assigned: Mapping[str, Sequence[Word]]
) -> Iterator[Command]:
    """Give the command or commands that a command really runs, with the wrappers' names.

    `document` is the here-document that it reads; `assigned` are the variables set so far, for `$COMMAND` as a name.
    """
    for _ in range(_MAX_WRAPPERS):
        command = _spell_out(command, assigned)
        if (script := _script_of(command, document)) is not None:
            found = inner(script)
            yield from (_within(command, one) for one in found)
            return
        rest = inside_container(command) if command.name not in _WRAPPERS else _rest(command)
        if not rest:
            break
        fan_out = fan_out_of(command, len(command.argv) - len(rest)) or command.fan_out
        wrappers = (*command.wrappers, command.name)
        if command.name == "parallel":
            rest = without_sources(rest)
        command = replace(command, argv=rest, wrappers=wrappers, fan_out=fan_out)
    yield command


def _rest(command: Command) -> tuple[Word, ...]:
    """Give what follows a wrapper's own options and arguments."""
    valued, plain = _WRAPPERS[command.name]
    words = command.argv
    if command.name in _RUNNERS and (len(words) < 2 or words[1].text not in _RUNNERS[command.name]):
        return ()
    at = 1 + (plain if command.name in _RUNNERS else 0)
    while at < len(words):
        text = words[at].text
        if text == "--":
            at += 1
            break
        if text.startswith("-") and len(text) > 1:
            at += 2 if text in valued else 1
        elif command.name in ("env", "sudo", "doas") and re.match(r"\w+=", text):
            at += 1
        else:
            break
    return words[at + (0 if command.name in _RUNNERS else plain) :]


def _spell_out(command: Command, assigned: Mapping[str, Sequence[Word]]) -> Command:
    """Replace a command's name that is a variable by the words that the script has set it to."""
    if not command.argv or not (match := re.fullmatch(r"\$\{?(\w+)(?:\[@\])?\}?", command.argv[0].text)):
        return command
    values = assigned.get(match[1], ())
    if len(values) != 1 or len(values[0].text) > _LONGEST:
        return command
    own = command.argv[0]
    text = values[0].text.strip()
    if text.startswith("(") and text.endswith(")"):  # an array
        text = text[1:-1]
    words = tuple(Word(part.strip("\"'"), own.start, own.end, "$" not in part) for part in text.split())
    return replace(command, argv=(*words, *command.argv[1:])) if words else command


def _script_of(command: Command, document: Word | None) -> Word | None:
    """Find the text that a command hands to a shell."""
    words = command.argv
    if command.name == "eval" and len(words) > 1:
        return (
            words[1]
            if len(words) == 2
            else Word(" ".join(word.text for word in words[1:]), words[1].start, words[-1].end)
        )
    if command.name == "ssh":
        return _remote_script(words, document)
    if command.name not in _SHELLS and not (command.name == "su" and len(words) > 2):
        return None
    for place, word in enumerate(words[1:-1], 1):
        if re.fullmatch(r"-[a-z]*c", word.text):
            return words[place + 1]
        if not word.text.startswith("-") and command.name != "su":
            return None
    plain = [word for word in words[1:] if not word.text.startswith("-")]
    return document if not plain or "-s" in (word.text for word in words[1:]) else None


def _remote_script(words: Sequence[Word], document: Word | None) -> Word | None:
    valued = ("-i", "-p", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-c", "-E", "-b")
    at = 1
    while at < len(words) and words[at].text.startswith("-"):
        at += 2 if words[at].text in valued else 1
    rest = words[at + 1 :]
    if not rest or [word.text for word in rest] in (["bash"], ["sh"], ["bash", "-s"], ["sh", "-s"]):
        return document
    return rest[0] if len(rest) == 1 else Word(" ".join(word.text for word in rest), rest[0].start, rest[-1].end)


def _within(outer: Command, command: Command) -> Command:
    """Put a command that an inner shell runs into the place of that shell."""
    return replace(
        command,
        loops=(*outer.loops, *command.loops),
        forked_in=command.forked_in or outer.forked_in,
        background=command.background or outer.background,
        fan_out=command.fan_out or outer.fan_out,
        wrappers=(*outer.wrappers, outer.name, *command.wrappers),
        pipes_into=(*command.pipes_into, *outer.pipes_into),
        environment={**outer.environment, **command.environment},
    )
