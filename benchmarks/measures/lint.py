"""What lint takes: a whole process each time, against one that does nothing at all."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from process import Ended, run_pinned
from projects import write_many, write_small, write_with_includes
from rounds import median_of, play_rounds
from table import Table, Target

_ROUNDS_EACH = 5
"""A process is short: so many runs for each round that is asked for."""
_MANY_S = 5.0


@dataclass(frozen=True, slots=True)
class Check:
    """One project, and what lint may take for it."""

    name: str
    write: Callable[[Path], None]
    limit: float
    """How many times a bare process."""


CHECKS = (
    Check("small GitLab pipeline, no load", write_small, 4.0),
    Check("GitLab pipeline with 20 local includes, load in each", write_with_includes, 8.0),
)
_BARE = "python -c pass"
_MANY = "1,000 pipelines, load in a quarter of them"


def measure_lint(rounds: int, *, quick: bool = False) -> Table:
    """Measure processes on one core, their bytecode compiled as an installer leaves it."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        environment = {"PYTHONPYCACHEPREFIX": str(top / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
        commands = {_BARE: [sys.executable, "-c", "pass"]}
        for number, check in enumerate(CHECKS):
            commands[check.name] = _lint(_project(top / f"project-{number}", check.write))
        many = _project(top / "many", write_many)
        files = [str(path) for path in sorted(many.glob("*/.gitlab-ci.yml"))]

        def run(command: Sequence[str]) -> Ended:
            ended = run_pinned(command, environment=environment)
            if ended.code not in (0, 1):
                raise RuntimeError(f"lint ended with {ended.code}: {ended.errors}")
            return ended

        for command in commands.values():
            run(command)  # compiles
        count = 1 if quick else rounds * _ROUNDS_EACH
        figures = play_rounds(list(commands), count, lambda name: run(commands[name]))
        many_runs = play_rounds([_MANY], 1 if quick else 3, lambda _: run([*_lint(many)[:-1], *files]))
    bare_s = median_of(figures[_BARE], lambda one: one.cpu_s)
    rows, targets = [], []
    for name, runs in (figures | many_runs).items():
        wall_s, cpu_s = median_of(runs, lambda one: one.wall_s), median_of(runs, lambda one: one.cpu_s)
        rows.append([name, f"{wall_s * 1000:,.0f}", f"{cpu_s * 1000:,.0f}", f"{cpu_s / bare_s:,.1f}"])
        for check in CHECKS:
            if check.name == name:
                ratio = cpu_s / bare_s
                targets.append(
                    Target(f"{name}: at most {check.limit:g} × {_BARE}", f"{ratio:.1f}", ratio <= check.limit)
                )
        if name == _MANY:
            targets.append(Target(f"{name}: under {_MANY_S:g} s on one core", f"{cpu_s:.1f} s", cpu_s < _MANY_S))
    return Table(["process", "wall ms", "CPU ms", f"CPU ÷ {_BARE}"], rows, targets)


def _project(folder: Path, write: Callable[[Path], None]) -> Path:
    (folder / ".git").mkdir(parents=True)
    write(folder)
    return folder


def _lint(folder: Path) -> list[str]:
    return [
        sys.executable,
        "-c",
        "import sys; from burstctl.cli.main import main; sys.exit(main())",
        "lint",
        str(folder),
    ]
