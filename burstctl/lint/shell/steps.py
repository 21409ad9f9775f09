"""Lists what a loop's body runs, and whether each time round. Knows syntax trees, not what commands do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from burstctl.lint.shell.loop import Step
from burstctl.lint.shell.tree import LOOPS, Text, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tree_sitter

_MOST = 3000
_MAX_CALLS = 4
_CONDITIONS = frozenset({"if_statement", "case_statement", "list"})


def steps_below(text: Text, functions: Mapping[str, tree_sitter.Node], body: tree_sitter.Node) -> Iterator[Step]:
    """Give every command below a loop's body, those of called functions too."""
    rest: list[tuple[tree_sitter.Node, bool, bool, int]] = [(body, True, True, 0)]
    left = _MOST
    while rest and left:
        node, always, foreground, calls = rest.pop()
        left -= 1
        if node.type == "command":
            words = [text.raw(child) for child in named(node)]
            yield Step(words, always and foreground, foreground)
            function = functions.get(words[0]) if words and calls < _MAX_CALLS else None
            if function is not None and (inner := function.child_by_field_name("body")) is not None:
                rest.append((inner, always, foreground, calls + 1))
        if node.type == "function_definition":
            continue
        always = always and node.type not in _CONDITIONS
        children = node.children
        for place, child in enumerate(children):
            forked = place + 1 < len(children) and children[place + 1].type == "&"
            if child.is_named and not (child.type in LOOPS and not forked and not _matters(text.raw(child))):
                sure = always or (node.type == "list" and place == 0)
                rest.append((child, sure, foreground and not forked and child.type not in LOOPS, calls))


def _matters(text: str) -> bool:
    """Tell whether an inner loop is worth a look: it may wait for background jobs, or leave the outer loop."""
    return re.search(r"\b(wait|break|exit|return)\b", text) is not None
