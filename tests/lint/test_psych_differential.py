"""Reads generated documents with Ruby's Psych, as GitLab does, and compares: merges, duplicates, scalars, aliases."""

import json
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Sequence, Tagged, Unreadable, Value
from burstctl.lint.file import File

pytestmark = pytest.mark.skipif(shutil.which("ruby") is None, reason="needs Ruby, whose YAML reader is GitLab's")

SERVER = r"""
require 'psych'; require 'json'; require 'date'
$stdin.binmode; $stdout.sync = true
def out(v)
  case v
  when nil then ['n']
  when true, false then ['b', v]
  when Integer then ['i', v.to_s]
  when Float then ['f', [v].pack('G').unpack1('H*')]
  when String then ['s', v.dup.force_encoding('UTF-8')]
  when Symbol then ['s', v.to_s]
  when Array then ['l', v.map { |x| out(x) }]
  when Hash then ['m', v.map { |k, x| [out(k), out(x)] }]
  else ['o']
  end
end
while (size = $stdin.gets)
  text = $stdin.read(size.to_i).force_encoding('UTF-8')
  answer = begin
    out(Psych.safe_load(text, permitted_classes: [Symbol, Date, Time], aliases: true))
  rescue Psych::Exception
    ['e']
  rescue ArgumentError
    ['stumbles']
  end
  puts JSON.generate(answer)
end
"""


@dataclass(frozen=True, slots=True)
class Psych:
    """One Ruby process that answers for all examples."""

    process: "subprocess.Popen[bytes]"

    def load(self, text: str) -> Any:
        data = text.encode()
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin
        assert stdout
        stdin.write(b"%d\n%s" % (len(data), data))
        stdin.flush()
        return json.loads(stdout.readline())


@pytest.fixture(scope="module")
def psych() -> Iterator[Psych]:
    with subprocess.Popen(["ruby", "-e", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Psych(process)
        assert process.stdin
        process.stdin.close()


def ours(text: str) -> Any:
    try:
        roots = read_yaml(File.of("x.yml", text)).roots
    except Unreadable:
        return ["e"]
    return shown(roots[0]) if roots else ["n"]


def shown(value: Value) -> Any:
    match value:
        case Scalar(value=plain):
            return scalar(plain)
        case Sequence():
            return ["l", [shown(item) for item in value.items]]
        case Mapping():
            return ["m", [[["s", entry.key.as_text], shown(entry.value)] for entry in value.entries.values()]]
        case Tagged():
            return shown(value.value)


def scalar(plain: object) -> Any:
    match plain:
        case None:
            return ["n"]
        case bool():
            return ["b", plain]
        case int():
            return ["i", str(plain)]
        case float():
            return ["f", struct.pack(">d", plain).hex()]
        case _:
            return ["s", plain]


def theirs(value: Any) -> Any:
    """Bring Ruby's answer into our form: keys are texts here, and times and dates too, whatever they are."""
    match value:
        case ["l", items]:
            return ["l", [theirs(item) for item in items]]
        case ["m", pairs]:
            return ["m", [[["s", key_text(key)], theirs(one)] for key, one in pairs]]
        case ["f", hexadecimal] if "nan" in str(struct.unpack(">d", bytes.fromhex(hexadecimal))[0]):
            return scalar(float("nan"))
    return value


def key_text(key: Any) -> str:
    match key:
        case ["n"]:
            return ""
        case ["b", truth]:
            return "true" if truth else "false"
        case [_, text]:
            return str(text)
    return ""


def same(mine: Any, other: Any) -> bool:
    if other == ["o"]:
        return bool(mine[0] == "s")
    if mine[0] != other[0] or mine[0] not in "lm":
        return bool(mine == other)
    if len(mine[1]) != len(other[1]):
        return False
    if mine[0] == "l":
        return all(map(same, mine[1], other[1]))
    return all(a[0] == b[0] and same(a[1], b[1]) for a, b in zip(mine[1], other[1], strict=True))


def check(psych: Psych, text: str) -> None:
    mine, other = ours(text), theirs(psych.load(text))
    if other == ["stumbles"]:  # over `0b_`, which looks like a number: there is nothing to compare
        return
    assert same(mine, other), f"{text!r}\n  ours: {mine}\n psych: {other}"


CURIOUS = """
0300 1,000 1_000 0x12C +300 1:30 08:30 1e3 on off yes no Yes NO y n true TRUE tRue ~ null Null .inf -.inf +.inf .nan
.NaN 0o14 0b101 1.5 1. .5 -.5 1.5e3 1.5e+3 1e+3 0 -0 00 08 09 0.1.2 1:2:3 1:60 -1:30 1:30.5 190:20:30 1_ _1 1,2,3 ,1
2001-01-01 2001-1-1 2001-12-14T21:59:43Z 12:30:45 :sym :a:b 100/s 1__0 1,_0 0_7 0x 0b 0b_ 0x_ - -- . .. + 1-2 1.2,3
1,000.5 _ __ <<x = 1:2:3:4 0:0 00:01 1:5 1:05 +1:05 nul True! no! a: 123456789012345678901234567890 1e400 -1.0e-400
0:0._1 1__0:30 1_:30 1_0:30.5_ 1:30. 1:2:3.1__2 -1_0:30 :'a' :'' :' :'a :'a'b ::a :"a'"b :':a'
""".split()  # noqa: SIM905 - four lines instead of a hundred


def plainly(text: str) -> bool:
    """Tell whether a text may stand unquoted as a block value."""
    return (
        bool(text)
        and text == text.strip()
        and text[0] not in "!&*{}[]#|>@%\"'`,"
        and not (text[0] in "-?:" and (len(text) == 1 or text[1] == " "))
        and ": " not in text
        and " #" not in text
        and not text.endswith(":")
        and text not in ("---", "...")
    )


PLAIN = st.one_of(
    st.sampled_from([one for one in CURIOUS if plainly(one)]),
    st.text("0123456789_,.:+-", min_size=1, max_size=9).filter(plainly),
    st.text("0123456789_,.:+-eExXobOB~nyaftrul /s", min_size=1, max_size=8).filter(plainly),
    st.text(st.characters(min_codepoint=33, max_codepoint=0x17F), min_size=1, max_size=6).filter(plainly),
)


@settings(max_examples=1500, deadline=None)
@given(PLAIN)
def test_scalars_are_read_as_psych_reads_them(psych: Psych, text: str) -> None:
    check(psych, f"a: {text}\n")


@pytest.mark.parametrize("text", CURIOUS)
def test_curious_scalars_too(psych: Psych, text: str) -> None:
    check(psych, f"a: {text}\n")


KEYS = st.sampled_from(["a", "b", "c", "d e", "'a'", '"b"', "x-y", "7"])
QUOTED = st.sampled_from(
    ["'it''s'", '"a\\tb"', "''", '""', "'0300'", '"yes"', "!!str 12", "!!int '7'", "! 5", "! '5'", "!foo 5"]
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Write a block mapping with anchors, aliases, merges and duplicates."""
    anchors: list[str] = []
    unfinished: list[str] = []
    count = 0

    def usable() -> list[str]:
        return [name for name in anchors if name not in unfinished]

    def node(indent: int, depth: int) -> str:
        """Write what follows a key or a dash, line ends included."""
        nonlocal count
        kind = draw(st.sampled_from(["scalar", "scalar", "map", "map", "list", "alias", "flow", "literal"]))
        if kind == "alias" and (closed := usable()):
            return f" *{draw(st.sampled_from(closed))}\n"
        name = ""
        if draw(st.booleans()) and kind != "alias":
            count += 1
            name = f"n{draw(st.integers(1, 4))}" if draw(st.booleans()) else f"m{count}"
        prefix = f" &{name}" if name else ""
        if name:
            unfinished.append(name)
        if kind == "literal":
            style = draw(st.sampled_from(["|", ">", "|-", ">-", "|+"]))
            text = f"{prefix} {style}\n{' ' * indent}x: 1\n{' ' * indent}# y\n"
        elif kind == "flow":
            inner = ", ".join(draw(st.lists(st.sampled_from(["1", "no", "0x1f", "'a'", "1:30", "{q: 1}"]), max_size=3)))
            text = f"{prefix} [{inner}]\n" if draw(st.booleans()) else f"{prefix} {{a: [{inner}], b: 1}}\n"
        elif depth >= 3 or kind in ("scalar", "alias"):
            text = f"{prefix} {draw(st.one_of(PLAIN, QUOTED))}\n"
        elif kind == "map":
            text = f"{prefix}\n{mapping(indent, depth + 1)}"
        else:
            items = (f"{' ' * indent}-{node(indent + 2, depth + 1)}" for _ in range(draw(st.integers(1, 3))))
            text = f"{prefix}\n{''.join(items)}"
        if name:
            unfinished.remove(name)
            anchors.append(name)
        return text

    def mapping(indent: int, depth: int) -> str:
        lines = []
        for _ in range(draw(st.integers(1, 4))):
            if usable() and draw(st.integers(0, 2)) == 0:
                names = draw(st.lists(st.sampled_from(usable()), min_size=1, max_size=3))
                merged = f"*{names[0]}" if len(names) == 1 and draw(st.booleans()) else f"[*{', *'.join(names)}]"
                lines.append(f"{' ' * indent}<<: {merged}\n")
            else:
                lines.append(f"{' ' * indent}{draw(KEYS)}:{node(indent + 2, depth)}")
        return "".join(lines)

    return mapping(0, 0)


@settings(max_examples=1500, deadline=None)
@example("t: &t {a: 1}\nx:\n  a: 2\n  <<: *t\n")
@example("t: &t {a: 1}\nx:\n  <<: *t\n  a: 2\n")
@example("t: &t {a: 1}\nu: &u {a: 2, b: 3}\nx:\n  <<: [*t, *u]\n")
@example("l: &l [{a: 1}, {a: 2}]\nx:\n  <<: *l\n")
@example("x:\n  <<: {a: 1}\n  <<: {a: 2, b: 2}\n")
@example("s: &s text\nx:\n  <<: *s\n  b: 1\n")
@example("x:\n  '<<': {a: 1}\n")
@example("x:\n  !!str <<: {a: 1}\n")
@example("x:\n  <<: [{a: 1}, 5]\n")
@example("x:\n  <<:\n")
@example("a: 1\r\nb: |\r\n  x\r\n  y\r\n")
@example("a:\n\t- 1\n")
@example("a: *nowhere\n")
@given(documents())
def test_documents_are_read_as_psych_reads_them(psych: Psych, text: str) -> None:
    check(psych, text)
