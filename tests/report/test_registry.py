"""Finding report formats by name."""

import subprocess
import sys

import pytest

from burstctl.errors import UsageError
from burstctl.report.registry import load, names, streaming_names


def test_lists_formats_and_nothing_else() -> None:
    assert {"json", "terminal"} <= set(names())
    assert not {"registry", "words", "page"} & set(names())
    assert [load(name).NAME for name in names()] == names()


@pytest.mark.parametrize(
    ("name", "hint"), [("jsno", "did you mean json?"), ("JSON", "did you mean json?"), ("x", "json")]
)
def test_helps_with_an_unknown_name(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(name)
    assert name in caught.value.message
    assert hint in (caught.value.hint or "")


def test_listing_imports_no_format() -> None:
    script = "import sys; from burstctl.report.registry import names; names(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"rich", "burstctl.report.json", "burstctl.report.terminal"} & set(done.stdout.split())


def test_what_is_written_during_a_run_cannot_be_made_of_its_result() -> None:
    for name in streaming_names():
        assert name not in names()
        with pytest.raises(UsageError, match="while a run goes on") as caught:
            load(name)
        assert f"--report {name}=PATH" in (caught.value.hint or "")
