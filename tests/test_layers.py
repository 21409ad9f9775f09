"""The house's walls: imports point strictly downward, and each heavy library has the one door it may come in by."""

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

import burstctl

PACKAGE = Path(burstctl.__file__).parent

LAYERS = {
    "cli": 10,
    "engine": 9,
    **dict.fromkeys(
        ("manifest", "pace", "send", "control", "record", "report", "fleet", "probe", "lint", "forecast", "result"), 8
    ),
    "comparison": 7,
    **dict.fromkeys(("plan", "gate", "examine"), 6),
    **dict.fromkeys(("threshold", "expect"), 5),
    "metric": 4,
    **dict.fromkeys(("outcome", "summary", "interpolate", "probe_settings", "finding", "learnt"), 3),
    **dict.fromkeys(("units", "document", "attempt", "line_log", "hdrhistogram", "interval"), 2),
    **dict.fromkeys(("errors", "source"), 1),
    **dict.fromkeys(("exit_code", "clock", "secret", "value", "light", "pattern"), 0),
}
"""Who may import whom: only from a lower number, or within one package."""

DOORS = {
    "httpx": {"send", "cli/ready.py", "cli/probing.py"},
    "httpcore": set[str](),
    "pydantic": {"manifest/schema.py", "manifest/scalar.py", "manifest/probe/keys.py"},
    "yaml": {"document.py", "lint/compose.py", "cli/burst.py"},
    "rich": {"report/terminal.py", "cli"},
    "click": {"cli"},
    "aiolimiter": {"pace"},
    "anyio": {"send", "cli"},
    "asyncio": {
        *("clock.py", "engine.py", "pace/wake.py", "pace/alarm.py", "pace/share", "probe/watch.py", "fleet", "cli"),
        "send",
    },
    "redis": {"probe/kind/redis.py", "pace/share"},
    "tree_sitter": {"lint/grammar.py", "lint/shell", "lint/terraform"},
    "tree_sitter_bash": set[str](),  # by its name, in lint/grammar.py
    "tree_sitter_hcl": set[str](),
    "boto3": {"probe/aws.py"},
    "httptools": {"send", "fleet"},
    "uvloop": {"cli"},
    "socket": {"send", "fleet"},
}
"""The only files or folders that may import a library."""

FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def imports(file: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def unit(name: str) -> str:
    """Give the row's word for a file or a dotted module."""
    return name.removesuffix(".py").replace("/", ".").split(".")[0]


@pytest.mark.parametrize("file", [file for file in FILES if file not in ("__init__.py", "__main__.py")])
def test_imports_point_strictly_downward(file: str) -> None:
    own = unit(file)
    for module in imports(file):
        other = unit(module.removeprefix("burstctl.")) if module.startswith("burstctl.") else ""
        if not other or other == own or module == "burstctl.__version__":
            continue
        assert LAYERS[other] < LAYERS[own], f"{file} imports {module}"


@pytest.mark.parametrize("file", FILES)
def test_libraries_come_in_by_their_own_door(file: str) -> None:
    for module in imports(file):
        doors = DOORS.get(module.split(".")[0])
        if doors is not None:
            assert {file, unit(file), *map(str, PurePosixPath(file).parents)} & doors, f"{file} imports {module}"


@pytest.mark.parametrize("file", FILES)
def test_every_file_says_what_it_is_for(file: str) -> None:
    docstring = ast.get_docstring(ast.parse((PACKAGE / file).read_text(encoding="utf-8")))
    assert docstring
    assert docstring.splitlines()[0].endswith((".", ";", ":"))


def test_no_file_is_a_drawer_for_anything() -> None:
    words = {"utils", "util", "helpers", "helper", "common", "base", "misc", "manager"}
    assert [file for file in FILES if words & set(file.removesuffix(".py").split("/"))] == []
