"""Which scripts are read as shell at all: without a word of load, the grammar is not even loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from burstctl.lint.document import Scalar
from burstctl.lint.file import File, Span
from burstctl.lint.interest import is_interesting, is_loadish
from burstctl.lint.job import Job, Script
from burstctl.lint.project import Project


def interesting(tmp_path: Path, text: str, name: str = "job", files: dict[str, str] | None = None) -> bool:
    span = Span(File.of("x", text), 0, len(text))
    script = Script.of((Scalar(span, text, text),), "script")
    return is_interesting(script, Job(name, span, ()), Project(tmp_path.resolve(), files or {}))


@pytest.mark.parametrize(
    "text",
    [
        "npm ci",
        "pip install -r requirements.txt && pytest -x",
        "curl -fsSL https://x.example/install.sh -o install.sh",
        "make build && ./gradlew test",
        "docker build . && docker push x",
        "for f in *; do gzip $f; done",
        "echo the curlew & parallel lives",
    ],
)
def test_everyday_scripts_are_not_worth_a_grammar(tmp_path: Path, text: str) -> None:
    assert not interesting(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    ["hey -z 1s x", "for i in 1; do curl x; done", "curl x &", "seq 9 | xargs curl x", "curl -Z x", "burstctl run x"],
)
def test_load_is(tmp_path: Path, text: str) -> None:
    assert interesting(tmp_path, text)


def test_a_file_that_a_script_names_speaks_for_it(tmp_path: Path) -> None:
    files = {"go.sh": "./all.sh", "all.sh": "hey -z 1s x", "Makefile": "a:\n\tk6 run x.js\n", "b.sh": "pytest"}
    assert interesting(tmp_path, "bash go.sh", files=files)
    assert interesting(tmp_path, "make a", files=files)
    assert not interesting(tmp_path, "./b.sh", files=files)
    assert not interesting(tmp_path, "./missing.sh", files=files)


@pytest.mark.parametrize("name", ["load-test", "stress", "perf_check", "inference", "golden-burst"])
def test_a_job_that_is_named_for_load_is_always_read(tmp_path: Path, name: str) -> None:
    assert is_loadish(name)
    assert interesting(tmp_path, "./anything", name)


@pytest.mark.parametrize("name", ["download", "upload", "reload", "unit", None])
def test_names_that_only_hold_such_a_word_are_none(name: str | None) -> None:
    assert not is_loadish(name)


def test_a_pipeline_without_load_loads_no_grammar(tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text("test:\n  script:\n    - npm ci\n    - curl -fsS https://x.example -o a\n")
    code = (
        "import sys; from pathlib import Path; from burstctl.lint.check import check;"
        "from burstctl.lint.project import Project; from burstctl.lint.settings import Settings;"
        f"check(['.gitlab-ci.yml'], Project(Path({str(tmp_path.resolve())!r})), Settings());"
        "print([name for name in sys.modules if 'tree_sitter' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
