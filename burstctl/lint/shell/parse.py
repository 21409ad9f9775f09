"""Reads shell text into commands, by tree-sitter's bash grammar. Knows no tools; wrappers are taken off elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from burstctl.light import light, replace
from burstctl.lint.grammar import parser_of
from burstctl.lint.shell.inner import read_inner
from burstctl.lint.shell.loop import describe_loop
from burstctl.lint.shell.model import Command, Loop, Shell, Word
from burstctl.lint.shell.steps import steps_below
from burstctl.lint.shell.tree import LOOPS, Text, below, named
from burstctl.lint.shell.unwrap import unwrap
from burstctl.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tree_sitter

_MAX_DEPTH = 150
_MAX_CALLS = 4
"""Functions that call functions: how deep they are followed."""
_MAX_COMMANDS = 3000
_NEAR = 8
"""So many of the next programs in a pipeline count."""
_MAX_TEXT = 512 * 1024
_MAX_PIPES = 3000
_FORKED_DOCUMENT = pattern(r"<<-?[ \t]*[\"']?\w+[\"']?[^\n;&|#]{0,200}(?<!&)&(?=[ \t]*(?:\n|$))")
_TIMED = pattern(r"(?<![\w-])time(?:[ \t]+-p)?(?=[ \t]+(?:(?:for|while|until|if|case)\b|[{(]))")
"""`time` before what is no simple command is beyond the grammar, too."""
_ASSIGNMENT_START = pattern(r"(\w+)=")


@light
class _Context:
    """What stands around a command."""

    loops: tuple[Loop, ...] = ()
    forked_in: Loop | None = None
    background: bool = False
    pipes_into: tuple[str, ...] = ()
    fed_by: str = ""
    stdin: Word | None = None
    document: Word | None = None
    """The here-document that it reads."""
    calls: tuple[str, ...] = ()
    depth: int = 0

    def forked(self) -> _Context:
        """Put it all into the background."""
        return replace(self, background=True, forked_in=self.loops[-1] if self.loops else self.forked_in)


def parse(text: str, nesting: int = 0) -> Shell:
    """Read a script; what the grammar doesn't understand is left out. `nesting` counts the shells around it."""
    text = _bounded(text[:_MAX_TEXT])
    forks = frozenset(match.end() - 1 for match in _FORKED_DOCUMENT.finditer(text))
    # The grammar stumbles over an `&` after a here-document's start.
    text = _FORKED_DOCUMENT.sub(lambda match: match[0][:-1] + " ", text) if forks else text
    text = _TIMED.sub(lambda match: " " * len(match[0]), text)
    parser = parser_of("tree_sitter_bash")
    return _Reading(Text(text), nesting, forks).read(parser.parse(text.encode("utf-8", "replace")).root_node)


def _bounded(text: str) -> str:
    """Cut a text where it has more pipes and tests than any script: the grammar takes quadratic time over them."""
    for count, match in enumerate(re.finditer(r"\||\[\[", text)):
        if count == _MAX_PIPES:
            return text[: match.start()]
    return text


class _Reading:
    """One script on its way from syntax tree to commands."""

    __slots__ = ("_assignments", "_commands", "_forks", "_functions", "_nesting", "_steps", "_text", "_written")

    def __init__(self, text: Text, nesting: int, forks: frozenset[int]) -> None:
        self._text = text
        self._forks = forks
        """Where an `&` after a here-document's start was."""
        self._nesting = nesting
        self._commands: list[Command] = []
        self._functions: dict[str, tree_sitter.Node] = {}
        self._assignments: dict[str, list[Word]] = {}
        self._written: dict[str, Word] = {}
        self._steps = 0

    def read(self, root: tree_sitter.Node) -> Shell:
        for node in below(root):
            if node.type == "function_definition" and (name := node.child_by_field_name("name")):
                self._functions.setdefault(self._text.raw(name), node)
        self._walk(root, _Context())
        assignments = {name: tuple(words) for name, words in self._assignments.items()}
        return Shell(tuple(self._commands), assignments, self._written, broken=root.has_error)

    def _walk(self, node: tree_sitter.Node, context: _Context) -> None:
        self._steps += 1
        if context.depth > _MAX_DEPTH or len(self._commands) > _MAX_COMMANDS or self._steps > 20 * _MAX_COMMANDS:
            return
        context = replace(context, depth=context.depth + 1)
        match node.type:
            case "command":
                self._command(node, context)
            case "function_definition" | "heredoc_body" | "comment":
                return
            case "variable_assignment":
                self._assign(node)
                self._walk_all(node, context)
            case "pipeline":
                self._pipeline(node, context)
            case "redirected_statement":
                self._redirected(node, context)
            case kind if kind in LOOPS:
                self._loop(node, context)
            case _:
                self._walk_all(node, context)

    def _walk_all(self, node: tree_sitter.Node, context: _Context) -> None:
        children = node.children
        for place, child in enumerate(children):
            if child.is_named:
                forked = place + 1 < len(children) and children[place + 1].type == "&"
                self._walk(child, context.forked() if forked else context)

    def _pipeline(self, node: tree_sitter.Node, context: _Context) -> None:
        stages = named(node)
        names = [self._name_of(stage) for stage in stages]
        for place, stage in enumerate(stages):
            before = self._text.between(stages[0], stages[place - 1]) if place else context.fed_by
            after = (*names[place + 1 : place + _NEAR], *context.pipes_into[:_NEAR])
            self._walk(stage, replace(context, pipes_into=after, fed_by=before))

    def _redirected(self, node: tree_sitter.Node, context: _Context) -> None:
        body = node.child_by_field_name("body")
        target: str | None = None
        for redirect in node.children_by_field_name("redirect"):
            raw = self._text.raw(redirect)
            destination = redirect.child_by_field_name("destination")
            if redirect.type == "heredoc_redirect":
                text = next((one for one in below(redirect) if one.type == "heredoc_body"), None)
                if text is not None:
                    context = replace(context, document=self._text.word(text), fed_by=self._text.raw(text))
                start = self._text.range(redirect)[0]
                line = self._text.text.find("\n", start)
                if any(start < fork and (fork < line or line < 0) for fork in self._forks):
                    context = context.forked()
                self._after_heredoc(redirect, body, context)
                continue
            if destination is not None and raw.startswith("<"):
                context = replace(context, stdin=self._text.word(destination))
            elif destination is not None and raw.startswith((">", "1>")):
                target = self._text.word(destination).text
            self._walk_all(redirect, replace(context, document=None, fed_by="", stdin=None))
        if body is not None:
            if context.document is not None and self._name_of(body) == "tee":
                target = target or self._last_word(body)
            if target is not None and context.document is not None:
                self._written[target.removeprefix("./")] = context.document
            self._walk(body, context)

    def _after_heredoc(self, redirect: tree_sitter.Node, body: tree_sitter.Node | None, context: _Context) -> None:
        """Read what the grammar hangs below a here-document's start: the rest of its pipeline or list."""
        for child in named(redirect):
            if child.type in ("pipeline", "command", "list", "redirected_statement"):
                fed_by = self._text.raw(body) + "\n" + context.fed_by if body is not None else context.fed_by
                self._walk(child, replace(context, fed_by=fed_by))

    def _loop(self, node: tree_sitter.Node, context: _Context) -> None:
        body = node.child_by_field_name("body")
        start, end = self._text.range(node)
        at = self._text.range(body)[0] - start if body is not None else end - start
        text = self._text.raw(node)
        steps = steps_below(self._text, self._functions, body) if body else ()
        loop = describe_loop(node.type, text, (at, text[at:]), steps, start)
        inside = replace(context, loops=(*context.loops, loop), pipes_into=())
        once = node.type == "for_statement"  # what it goes through is worked out once, a condition each time round
        for child in named(node):
            self._walk(child, context if once and child != body else inside)

    def _command(self, node: tree_sitter.Node, context: _Context) -> None:
        words = self._text.words(node)
        if words:
            command = Command(
                words,
                *self._text.range(node),
                loops=context.loops,
                forked_in=context.forked_in,
                background=context.background,
                pipes_into=context.pipes_into,
                fed_by=context.fed_by or self._here_string(node),
                stdin=context.stdin,
                environment=dict(self._environment(node)),
            )
            self._run(command, context)
        inside = replace(context, fed_by="", stdin=None, document=None)
        for child in named(node):  # for the commands in $( )
            if child.type == "variable_assignment":
                self._walk_all(child, inside)
            else:
                self._walk(child, inside)

    def _run(self, command: Command, context: _Context) -> None:
        if self._call(command, context):
            return
        read = read_inner(self._text.text, parse, self._nesting)
        for real in unwrap(command, read, context.document, self._assignments):
            if not real.argv or not self._call(real, context):
                self._commands.append(real)

    def _call(self, command: Command, context: _Context) -> bool:
        """Walk through a function that a command calls: `timeout 5m send_all`, `seq 9 | xargs -P 9 bash -c send`."""
        name = command.argv[0].text
        function = self._functions.get(name)
        body = function.child_by_field_name("body") if function is not None else None
        if body is None or name in context.calls or len(context.calls) >= _MAX_CALLS:
            return False
        before = len(self._commands)
        around = replace(
            context,
            loops=command.loops,
            forked_in=command.forked_in,
            background=command.background,
            pipes_into=command.pipes_into,
            calls=(*context.calls, name),
        )
        self._walk(body, around)
        inner = self._commands[before:]
        self._commands[before:] = [replace(one, fan_out=one.fan_out or command.fan_out) for one in inner]
        return True

    def _environment(self, node: tree_sitter.Node) -> Iterator[tuple[str, Word]]:
        for child in named(node):
            raw = self._text.raw(child)
            if child.type == "variable_assignment" and (match := _ASSIGNMENT_START.match(raw)):
                value = child.child_by_field_name("value")
                yield match[1], self._text.word(value) if value else Word("", *self._text.range(child))

    def _here_string(self, node: tree_sitter.Node) -> str:
        return "".join(self._text.raw(child)[3:] for child in named(node) if child.type == "herestring_redirect")

    def _assign(self, node: tree_sitter.Node) -> None:
        name, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            word = self._text.word(given) if given is not None else Word("", *self._text.range(node))
            self._assignments.setdefault(self._text.raw(name), []).append(word)

    def _name_of(self, node: tree_sitter.Node) -> str:
        names = (one for one in below(node) if one.type == "command_name")
        first = next(names, None)
        return self._text.raw(first).rpartition("/")[2] if first is not None else ""

    def _last_word(self, node: tree_sitter.Node) -> str | None:
        command = next((one for one in below(node) if one.type == "command"), None)
        words = self._text.words(command) if command is not None else ()
        return words[-1].text if len(words) > 1 else None
