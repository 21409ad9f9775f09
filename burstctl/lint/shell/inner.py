"""Reads shell text that stands inside other shell text (`bash -c '…'`, here-documents), placed where it stands."""

from collections.abc import Callable, Sequence

from burstctl.light import replace
from burstctl.lint.shell.model import Command, Loop, Shell, Word

MAX_NESTING = 4
"""Shells within shells: how deep they are read."""

Place = Callable[[int, int], tuple[int, int]]


def read_inner(text: str, parse: Callable[[str, int], Shell], nesting: int) -> Callable[[Word], Sequence[Command]]:
    """Give the means to read a word of `text` as a script."""

    def read(word: Word) -> Sequence[Command]:
        if nesting >= MAX_NESTING:
            return ()
        place = _placing(text, word)
        return [_moved(command, place) for command in parse(word.text, nesting + 1).commands]

    return read


def _placing(text: str, word: Word) -> Place:
    """Map places in a word's own text to places in the script; all of it where quotes had to be taken out."""
    start = text.find(word.text, word.start, word.end) if word.text else -1
    if start < 0:
        return lambda _start, _end: (word.start, word.end)
    return lambda begin, end: (start + begin, start + end)


def _moved(command: Command, place: Place) -> Command:
    def move_word(word: Word) -> Word:
        return Word(word.text, *place(word.start, word.end), word.static)

    moved = {id(loop): _moved_loop(loop, place) for loop in command.loops}
    forked_in, fan_out = command.forked_in, command.fan_out
    start, end = place(command.start, command.end)
    if fan_out is not None:
        begin, finish = place(fan_out.start, fan_out.end)
        fan_out = replace(fan_out, start=begin, end=finish)
    return replace(
        command,
        argv=tuple(map(move_word, command.argv)),
        start=start,
        end=end,
        loops=tuple(moved[id(loop)] for loop in command.loops),
        forked_in=moved.get(id(forked_in), forked_in),
        fan_out=fan_out,
        stdin=move_word(command.stdin) if command.stdin else None,
        environment={name: move_word(word) for name, word in command.environment.items()},
    )


def _moved_loop(loop: Loop, place: Place) -> Loop:
    start, end = place(loop.start, loop.end)
    return replace(loop, start=start, end=end, body=place(loop.body, loop.body)[0])
