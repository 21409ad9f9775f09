"""`burstctl explain`: rules, metrics and exit codes are explained, and unknown words get a suggestion."""

from collections.abc import Callable

import pytest

from burstctl.exit_code import ExitCode
from burstctl.metric import METRICS

from .conftest import Result

Run = Callable[..., Result]


@pytest.mark.parametrize("word", ["BL101", "bl101", "missing-rate-limit"])
def test_a_rule_is_explained_with_its_examples(burstctl: Run, word: str) -> None:
    result = burstctl("explain", word)
    assert result.code == 0
    assert result.out.startswith("BL101 missing-rate-limit (error, certain): ")
    assert "Bad (.gitlab-ci.yml" in result.out
    assert "Good:" in result.out
    assert "# burstctl: ignore[BL101]" in result.out


def test_every_metric_of_thresholds_is_explained() -> None:
    from burstctl.cli.explanation.registry import explain

    for metric in METRICS:
        assert explain(metric).startswith(f"{metric}: ")
    assert "status" in explain("status.5xx")
    assert "1,000 samples" in explain("wait.p99.9")


def test_every_exit_code_is_explained() -> None:
    from burstctl.cli.explanation.registry import explain

    for code in ExitCode:
        assert explain(str(int(code))) == explain(code.name)


def test_an_unknown_word_gets_a_suggestion(burstctl: Run) -> None:
    result = burstctl("explain", "BL1011")
    assert result.code == 2
    assert "did you mean" in result.err
    assert "BL101" in result.err


def test_without_a_word_all_are_listed(burstctl: Run) -> None:
    result = burstctl("explain")
    assert result.code == 0
    for title in ("lint rules:", "metrics of thresholds:", "exit codes:"):
        assert title in result.out
    assert "  BL301  " in result.out
