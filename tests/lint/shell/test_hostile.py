"""Scripts made to hurt their reader: each is read in bounded time, or left."""

import time

import pytest

from burstctl.lint.shell.parse import parse

SCRIPTS = {
    "nested loops": "for i in $(seq 4); do " * 2000 + "curl x & " + "done; " * 2000,
    "nested substitutions": "echo " + "$(" * 5000 + "x" + ")" * 5000,
    "a long pipeline": "cat a " + "| xargs -P 4 curl b " * 20_000,
    "many tests": "[[ a ]] " * 20_000,
    "many loops": "for i in 1 2 3; do curl x & done\n" * 15_000,
    "here-documents without an end": "<<a" * 100_000,
    "functions that double": "\n".join(f"f{i}() {{ f{i + 1}; f{i + 1}; }}" for i in range(50)) + "\nf0",
    "a function that calls itself": "f() { f & f; }\nwhile true; do f & done",
    "shells in shells": 'bash -c "' * 50 + "curl",
    "a loop header": "while " + "seq " * 50_000 + "; do curl x; done",
    "parentheses": "for ((" + "(" * 100_000,
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_any_text_is_read_in_bounded_time(script: str) -> None:
    started = time.process_time()
    shell = parse(script)
    assert time.process_time() - started < 10
    assert len(shell.commands) < 4000
