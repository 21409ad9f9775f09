"""Reads a locustfile: the pace of its users, or that they have none. Parses Python, and runs none."""

import ast

from burstctl.lint.file import File, Span
from burstctl.lint.scenario.scenario import Scenario

_PER_SECOND = "constant_throughput"
_LONGEST = 400_000
_PERIOD = "constant_pacing"


def read_locust(file: File) -> Scenario:
    """Read the rate of each user; several classes of users: the fastest."""
    tree = parse_python(file.text)
    if tree is None:
        return Scenario(file.path)
    hosts: list[str] = []
    paces: list[tuple[float | None, ast.Call]] = []
    users = 0
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="host")], value=ast.Constant(value=str(host))):
                hosts.append(host)
            case ast.Assign(targets=[ast.Name(id="wait_time")], value=value):
                users += 1
                if isinstance(value, ast.Call) and (name := called(value)) in (_PER_SECOND, _PERIOD):
                    paces.append((_per_user(name, value), value))
    if not paces or len(paces) < users:
        return Scenario(file.path, targets=tuple(hosts))
    known = [rate for rate, _ in paces if rate is not None]
    rate = max(known) if len(known) == len(paces) else None
    span = span_of(file, paces[0][1])
    return Scenario(file.path, limited=True, span=span, targets=tuple(hosts), per_user_per_s=rate)


def _per_user(name: str, call: ast.Call) -> float | None:
    match call.args:
        case [ast.Constant(value=int() | float() as number)] if number > 0:
            return number if name == _PER_SECOND else 1 / number
        case _:
            return None


def parse_python(text: str) -> ast.Module | None:
    """Parse Python; None for what this interpreter can't."""
    import warnings

    if len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def called(call: ast.Call) -> str:
    """Give the name of what is called, without what it belongs to."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def span_of(file: File, node: ast.expr) -> Span:
    """Give a node's place; Python counts columns in bytes."""
    source = file.source
    line = source.lines[min(node.lineno, len(source.lines)) - 1]
    start = source.starts[min(node.lineno, len(source.lines)) - 1]
    column = len(line.encode()[: node.col_offset].decode(errors="replace"))
    length = (node.end_col_offset or node.col_offset) - node.col_offset if node.end_lineno == node.lineno else 1
    return Span(file, start + column, start + column + max(1, length))
