"""gunicorn's configuration: read, never run, and never fatal."""

from pathlib import Path

import pytest

from burstctl.lint.document import Unreadable
from burstctl.lint.file import File
from burstctl.lint.serving.configuration import read_configuration


def read(text: str) -> dict[str, object]:
    settings = read_configuration(File.of("gunicorn.conf.py", text)).settings
    return {name: one.value if one.known else "unknown" for name, one in settings.items()}


@pytest.mark.parametrize(
    ("text", "workers"),
    [
        ("workers = 4", 4),
        ("workers: int = 4", 4),
        ("n = 4\nworkers = n", 4),
        ("workers = 2\nworkers = 4", 4),
        ("workers = 2 * 2", "unknown"),
        ("workers = int(os.environ['N'])", "unknown"),
        ("workers = 1\nif x:\n    workers = 4", "unknown"),
        ("def f():\n    workers = 4", "unknown"),
        ("n = 1\nn = 2\nworkers = n", "unknown"),
    ],
)
def test_only_what_surely_holds_is_known(text: str, workers: object) -> None:
    assert read(text) == {"workers": workers}


def test_nothing_of_it_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    read(f"open({str(mark)!r}, 'w')\nworkers = __import__('os').cpu_count()")
    assert not mark.exists()


def test_a_place_counts_characters() -> None:
    text = "name = 'größer 🚀'; workers = 1\n"
    setting = read_configuration(File.of("gunicorn.conf.py", text)).settings["workers"]
    assert setting.span.text == "1"


@pytest.mark.parametrize(
    "text", ["workers = (", "workers = " + "(" * 5000, "-" * 100_000 + "1", "a\0b", "\x0c\rworkers = 1 = 2"]
)
def test_what_is_no_python_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="not valid Python"):
        read(text)


def test_odd_line_ends_are_survived() -> None:
    assert read("a = 1\rb = 2\r\rworkers = 4\x0c\r\ntimeout = 30\r\n") == {"workers": 4, "timeout": 30}
