"""Shell completion: the scripts are the shells' own, and what they ask for is answered without a network stack."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from burstctl.cli.main import COMMANDS

Run = Callable[..., Any]
HEAVY = ("httpx", "anyio", "asyncio", "pydantic", "rich", "uvloop", "yaml", "aiolimiter")
PROBE = """
import sys
from burstctl.cli.main import main
code = main(sys.argv[1:])
print("LOADED", code, *sorted(set({heavy}) & set(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_script_calls_back(burstctl: Run, shell: str) -> None:
    result = burstctl("completion", shell)
    assert result.code == 0
    assert f"_BURSTCTL_COMPLETE={shell}_complete" in result.out
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=result.out, text=True, check=True, timeout=20)


def test_another_shell_is_a_usage_error(burstctl: Run) -> None:
    result = burstctl("completion", "tcsh")
    assert result.code == 2
    assert "'bash', 'zsh', 'fish'" in result.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("burstctl ", set(COMMANDS)),
        ("burstctl dr", {"dry-run"}),
        ("burstctl dry-run --of", {"--offline"}),
        ("burstctl completion ", {"bash", "zsh", "fish"}),
        ("burstctl run --controller ad", {"adaptive"}),
    ],
)
def test_commands_options_and_choices_are_completed(burstctl: Run, words: str, expected: set[str]) -> None:
    place = str(len(words.split(" ")) - 1)
    asked = {"_BURSTCTL_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": place}
    result = burstctl(env=asked)
    assert {line.partition(",")[2] for line in result.out.splitlines()} == expected


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (["completion", "bash"], {}),
        ([], {"_BURSTCTL_COMPLETE": "bash_complete", "COMP_WORDS": "burstctl run --", "COMP_CWORD": "2"}),
    ],
)
def test_neither_the_script_nor_an_answer_loads_a_network_stack(
    arguments: list[str], environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    probe = [sys.executable, "-c", PROBE.format(heavy=HEAVY), *arguments]
    result = subprocess.run(probe, capture_output=True, text=True, check=True, timeout=60)
    loaded = result.stderr.splitlines()[-1].split()[2:]
    assert loaded == []
    assert result.stdout
