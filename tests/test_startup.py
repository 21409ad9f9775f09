"""Start-up is a feature: asking for help or a version loads nothing that only a run needs."""

import subprocess
import sys

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
