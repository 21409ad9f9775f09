"""No file, however it is made, takes lint more than seconds, much memory, or its composure."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 20
MEGABYTES = 600

BOMB = "\n".join(
    ["a0: &a0 {x: y}", *(f"a{n}: &a{n} {{{', '.join(f'k{k}: *a{n - 1}' for k in range(9))}}}" for n in range(1, 140))]
)

FILES = {
    "ten-megabytes": "job:\n  script:\n" + "    - echo hello world\n" * 450_000,
    "two-megabytes-of-jobs": "".join(f"job{n}: {{script: [echo]}}\n" for n in range(60_000)),
    "two-megabytes-of-text": "job:\n  script:\n    - |\n" + "      echo hello\n" * 120_000,
    "duplicates": "a: 1\n" * 150_000,
    "comments": "a: {script: [x]}\n" + "# nothing\n" * 180_000,
    "nested-blocks": "\n".join(f"{' ' * depth}a:" for depth in range(1_900)),
    "nested-lists": "a: " + "[" * 10_000,
    "nested-dashes": "- " * 10_000,
    "nested-mappings": "a: " + "{a: " * 10_000,
    "unclosed": "a: '" + "x\n" * 500_000,
    "aliases": BOMB
    + "\njob: {script: *a139, variables: *a139, rules: *a139, parallel: *a139, extends: .b}\n.b: *a139\n",
    "aliases-everywhere": BOMB.replace("a0: &a0 {x: y}", "a0: &a0 {script: [x]}") + "\ninclude: *a139\nstages: *a139\n",
    "merges": "a: &a {" + ", ".join(f"k{n}: 1" for n in range(5_000)) + "}\n" + "b: {<<: [" + "*a, " * 5_000 + "]}\n",
    "extends": "".join(f".a{n}: {{extends: [{', '.join(f'.a{k}' for k in range(60))}]}}\n" for n in range(60)),
    "matrix": "a: {parallel: {matrix: [{" + ", ".join(f"V{n}: [1, 2]" for n in range(5_000)) + "}]}, script: [x]}\n",
    "matrix-of-many": "a: {parallel: {matrix: [{" + ", ".join(f"V{n}: [1, 2]" for n in range(60_000)) + "}]}}\n",
    "expressions": "spec: {}\n---\na: '" + "$[[" * 600_000 + "'\n",
    "digits": "a: {script: [x], variables: {A: " + "9" * 1_000_000 + "}}\n",
    "rules": "w: &w ["
    + "{if: x, variables: {A: 1}}, " * 3_000
    + "]\nworkflow: {rules: *w}\n"
    + "".join(f"j{n}: {{script: [x], rules: *w}}\n" for n in range(200)),
}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES * 1024 * 1024,) * 2)


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_has_a_clean_end(name: str, tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text(FILES[name], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "burstctl", "lint"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr[-2_000:]
    assert "Traceback" not in done.stderr
    assert len(done.stdout) < 2_000_000
