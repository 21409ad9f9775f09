"""Start-up is a feature: asking for help or a version loads nothing that only a run needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from burstctl.cli.main import COMMANDS

HEAVY = ("httpx", "anyio", "asyncio", "pydantic", "rich", "uvloop", "yaml", "aiolimiter")
PROBE = """
import sys
from burstctl.cli.main import main
code = main(sys.argv[1:])
print("LOADED", code, *sorted(set({heavy}) & set(sys.modules)))
"""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], *([command, "--help"] for command in COMMANDS)])
def test_help_and_version_load_none_of_the_heavy_libraries(arguments: list[str]) -> None:
    probe = [sys.executable, "-c", PROBE.format(heavy=HEAVY), *arguments]
    out = subprocess.run(probe, capture_output=True, text=True, check=True, timeout=60).stdout
    assert out.splitlines()[-1] == "LOADED 0"


PIPELINES = {
    "a plain pipeline": ("test: {script: [make test]}\n", {"pathlib", "typing", "dataclasses", "tree_sitter._binding"}),
    "one with load": (
        "load:\n  script:\n    - hey -n 400 https://llm.example.com/predict\n",
        {"pathlib", "typing", "dataclasses", "importlib.resources", "hashlib"},
    ),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_lint_without_options_loads_only_what_it_needs(name: str, tmp_path: Path) -> None:
    text, needless = PIPELINES[name]
    (tmp_path / ".gitlab-ci.yml").write_text(text)
    heavy = sorted({*HEAVY, "click", "inspect", *needless} - {"yaml"})
    probe = [sys.executable, "-c", PROBE.format(heavy=heavy), "lint", str(tmp_path)]
    out = subprocess.run(probe, capture_output=True, text=True, check=True, timeout=60).stdout
    assert out.splitlines()[-1].split()[2:] == []
