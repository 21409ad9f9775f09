"""No workflow, however it is made, takes lint more than seconds, much memory, or its composure."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.gitlab.test_hostile import BOMB, SECONDS, limit

MATRIX = f"on: push\njobs:\n  a:\n    strategy: {{matrix: {{a: [{'1, 2, ' * 125}]}}}}\n    steps:\n"

FILES = {
    "steps": "on: push\njobs:\n  a:\n    steps:\n" + "    - run: echo\n" * 120_000,
    "jobs": "on: push\njobs:\n" + "".join(f"  j{n}: {{steps: [{{run: x}}]}}\n" for n in range(50_000)),
    "aliases": BOMB + "\non: *a139\nenv: *a139\njobs: {a: {strategy: *a139, env: *a139, steps: *a139}}\n",
    "aliased-matrix": f"{BOMB}\non: push\njobs: {{a: {{strategy: {{matrix: *a139}}, steps: []}}}}\n",
    "aliased-steps": "x: &x [{run: echo}]\non: push\njobs:\n"
    "  a: &a {steps: ["
    + "{run: 'hey ${{ matrix.a }}'}, " * 4_000
    + "], strategy: {matrix: {a: ["
    + "1, " * 250
    + "]}}}\n"
    + "".join(f"  a{n}: *a\n" for n in range(2_000)),
    "matrix": "on: push\njobs: {a: {strategy: {matrix: {" + ", ".join(f"V{n}: [1, 2]" for n in range(5_000)) + "}}}}\n",
    "matrix-of-includes": "on: push\njobs: {a: {strategy: {matrix: {a: ["
    + "1, " * 250
    + "], include: ["
    + "{b: 1}, " * 20_000
    + "]}}}}\n",
    "expressions": "on: push\njobs: {a: {steps: [{run: '" + "${{" * 500_000 + "'}]}}\n",
    "many-expressions": f"{MATRIX}    - run: |\n"
    + "        ${{ matrix.a }} ${{ inputs.a || fromJSON('[1]')[0] }}\n" * 20_000,
    "distinct-expressions": f"{MATRIX}    - run: |\n"
    + "".join(f"        ${{{{ format('{{0}}', matrix.a) }}}} ${{{{ matrix.a == {n} }}}}\n" for n in range(20_000)),
    "nested-expression": "on: push\njobs: {a: {if: '" + "(" * 100_000 + "', steps: [{run: x}]}}\n",
    "needs": "on: push\njobs:\n"
    + "".join(
        f"  j{n}: {{needs: [{', '.join(f'j{k}' for k in range(max(0, n - 100), n))}], if: false, steps: []}}\n"
        for n in range(2_000)
    ),
    "nested": "on: " + "[" * 10_000,
}


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "burstctl", "lint"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        preexec_fn=limit,
        check=False,
    )


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_workflow_has_a_clean_end(name: str, tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "ci.yml").write_text(FILES[name], encoding="utf-8")
    done = run(tmp_path)
    assert done.returncode in (0, 1), done.stderr[-2_000:]
    assert "Traceback" not in done.stderr
    assert len(done.stdout) < 2_000_000


@pytest.mark.parametrize("kind", ["actions", "workflows"])
def test_files_that_use_each_other_many_times_have_a_clean_end(kind: str, tmp_path: Path) -> None:
    for n in range(12):
        if kind == "workflows":
            file = tmp_path / ".github" / "workflows" / f"w{n}.yml"
            jobs = "".join(f"  j{k}: {{uses: ./.github/workflows/w{n + 1}.yml}}\n" for k in range(12))
            text = f"on: {'push' if n == 0 else 'workflow_call'}\njobs:\n{jobs}"
        else:
            file = tmp_path / f"a{n}" / "action.yml"
            text = f"runs:\n  using: composite\n  steps:\n{f'    - uses: ./a{n + 1}{chr(10)}' * 12}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    done = run(tmp_path)
    assert done.returncode == 1, done.stderr[-2_000:]
    assert "BL00" in done.stdout
    assert "Traceback" not in done.stderr
