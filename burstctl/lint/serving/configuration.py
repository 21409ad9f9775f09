"""Reads gunicorn's configuration files, which are Python, by their syntax tree. Runs nothing of them."""

import ast
import warnings
from collections.abc import Iterator, Mapping

from burstctl.light import light, replace
from burstctl.lint.document import Unreadable
from burstctl.lint.file import File, Span
from burstctl.lint.fleet import Place, Server, Setting

COMPUTED = "is worked out when it starts"
_CORES = frozenset({"cpu_count", "process_cpu_count", "sched_getaffinity"})
_SETTINGS = {"workers": "workers", "threads": "threads", "timeout": "timeout", "worker_class": "class"}


@light
class Configuration:
    """What a configuration file sets, by the option that sets it on the command line."""

    file: File
    settings: Mapping[str, Setting]
    scales: bool
    """The number of workers follows the number of cores."""

    def as_server(self) -> Server:
        """Give the server that it configures."""
        settings = self.settings
        first = next(iter(settings.values()), None)
        workers = settings.get("workers")
        if workers is not None and self.scales:
            workers = replace(workers, value="cores", known=True)
        return Server(
            "gunicorn",
            Place.CONFIG,
            first.span if first else self.file.line_span(),
            workers=workers,
            threads=settings.get("threads"),
            timeout=settings.get("timeout"),
            classes=(settings["class"],) if "class" in settings else (),
        )


def read_configuration(file: File) -> Configuration:
    """Read a file's settings; one that is not a literal, or set under a condition, is unknown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise Unreadable(f"not valid Python: {getattr(error, 'msg', error)}", file.line_span(line)) from None
    assigned: dict[str, list[ast.expr]] = {}
    sure: set[ast.expr] = set()
    for node in ast.walk(tree):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                assigned.setdefault(target.id, []).append(value)
                if node in tree.body:
                    sure.add(value)
    settings = {
        option: _setting(assigned[name], sure, assigned, file) for name, option in _SETTINGS.items() if name in assigned
    }
    return Configuration(file, settings, _follows_cores("workers", assigned))


def _setting(
    values: list[ast.expr], sure: set[ast.expr], assigned: Mapping[str, list[ast.expr]], file: File
) -> Setting:
    last = values[-1]
    span = _span(last, file)
    found = last
    if isinstance(found, ast.Name) and len(assigned.get(found.id, ())) == 1:
        found = assigned[found.id][0]
    if isinstance(found, ast.UnaryOp) and isinstance(found.op, ast.USub) and isinstance(found.operand, ast.Constant):
        return Setting(span, known=False, source=COMPUTED)
    if (
        isinstance(found, ast.Constant)
        and isinstance(found.value, str | int | float)
        and all(one in sure for one in values)
    ):
        return Setting(span, found.value, literal=found is last)
    return Setting(span, known=False, source=COMPUTED)


def _follows_cores(name: str, assigned: Mapping[str, list[ast.expr]]) -> bool:
    """Tell whether a value is made of the number of cores, through names that are set once."""
    rest, seen = [name], set[str]()
    while rest:
        one = rest.pop()
        seen.add(one)
        values = assigned.get(one, [])
        words = {word for value in values if len(values) == 1 for word in _words(value)}
        if words & _CORES:
            return True
        rest.extend(words - seen)
    return False


def _words(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _span(node: ast.expr, file: File) -> Span:
    """Turn the parser's lines and bytes into a span."""
    return Span(
        file, _index(file, node.lineno, node.col_offset), _index(file, node.end_lineno or 1, node.end_col_offset or 0)
    )


def _index(file: File, line: int, byte: int) -> int:
    text = file.source.lines[min(line, len(file.source.lines)) - 1]
    return file.source.starts[min(line, len(file.source.starts)) - 1] + len(
        text.encode("utf-8", "replace")[:byte].decode("utf-8", "replace")
    )
