"""A result held against an earlier one: worse is worse, luck is luck, and what can't be compared is not."""

import random
from collections.abc import Callable

import pytest

from burstctl.gate import Result
from burstctl.result.allowance import parse_allowance
from burstctl.result.compare import compare
from burstctl.result.read import Saved
from burstctl.summary import Ending

Make = Callable[..., Saved]


def values(seed: int, factor: float = 1.0, count: int = 1200) -> list[float]:
    rng = random.Random(seed)
    return [rng.lognormvariate(3.5, 0.5) * factor for _ in range(count)]


def verdict(base: Saved, new: Saved, *allowances: str) -> tuple[Result, int, tuple[str, ...]]:
    comparison = compare(base, new, [parse_allowance(text) for text in allowances or ("p95=10%", "failed=1%")])
    return comparison.result, comparison.exit_code, comparison.reasons


def test_the_same_service_again_passes(make: Make) -> None:
    for seed in range(20):
        assert verdict(make(values(seed)), make(values(seed + 100)), "p95=25%")[:2] == (Result.PASS, 0)


def test_clearly_slower_fails_and_says_by_how_much(make: Make) -> None:
    result, code, reasons = verdict(make(values(1)), make(values(2, 1.5)))
    assert (result, code) == (Result.FAIL, 1)
    assert reasons[0].startswith("p95: ")
    assert " → " in reasons[0]
    assert reasons[0].endswith("allowed 10%")


def test_clearly_faster_passes(make: Make) -> None:
    assert verdict(make(values(1)), make(values(2, 0.5)))[0] is Result.PASS


def test_a_few_samples_prove_nothing(make: Make) -> None:
    result, code, reasons = verdict(make(values(1, count=60)), make(values(2, 1.15, count=60)), "p95=0%")
    assert (result, code) == (Result.INCONCLUSIVE, 4)
    assert "intervals overlap" in reasons[0] or "too few" in reasons[0]


def test_too_few_for_the_percentile_is_no_data(make: Make) -> None:
    result, _, reasons = verdict(make(values(1, count=15)), make(values(2, count=15)))
    assert result is Result.INCONCLUSIVE
    assert "p95: no data in the base" in reasons


def test_far_too_few_requests_are_not_better(make: Make) -> None:
    result, code, reasons = verdict(make(values(1)), make(values(2, 0.1, count=300)))
    assert (result, code) == (Result.INCONCLUSIVE, 4)
    assert reasons[0] == "not comparable: 1,200 requests were sent in the base and 300 in the new run"


def test_other_settings_are_not_comparable(make: Make) -> None:
    other = make(values(2, 3.0), change={"settings": {"rate_limit": {"rate_per_s": 100.0}}})
    result, code, reasons = verdict(make(values(1)), other)
    assert (result, code) == (Result.INCONCLUSIVE, 4)
    assert reasons[0] == "not comparable: the settings differ in rate_limit.rate_per_s"


def test_another_target_is_a_note(make: Make) -> None:
    run = {"settings": {**make().summary.settings, "target": {"base_url": "http://b"}}}
    comparison = compare(make(values(1)), make(values(1), change=run), [parse_allowance("p95=10%")])
    assert comparison.result is Result.PASS
    assert "the settings differ in target" in comparison.notes[0]


def test_more_failures_are_points_of_the_share(make: Make) -> None:
    base = make(values(1), failed=6)
    assert verdict(base, make(values(1), failed=15), "failed=1%")[0] is Result.PASS
    assert verdict(base, make(values(1), failed=30), "failed=1%")[0] is Result.FAIL


@pytest.mark.parametrize("ending", [Ending.INTERRUPTED, Ending.TERMINATED, Ending.UNAVAILABLE])
def test_a_run_that_was_cut_off_is_not_comparable(make: Make, ending: Ending) -> None:
    result, _, reasons = verdict(make(values(1), change={"ending": ending}), make(values(1)))
    assert result is Result.INCONCLUSIVE
    assert "ended early" in reasons[0]


def test_one_request_name_can_be_gated(make: Make) -> None:
    result, _, reasons = verdict(make(values(1)), make(values(2, 2.0)), "predict: p50=10%")
    assert result is Result.FAIL
    assert reasons[0].startswith("predict: p50: ")


def test_a_lower_rate_is_worse(make: Make) -> None:
    slow = make(values(1), change={"rate": make().summary.rate})
    assert verdict(make(values(1)), slow, "rate=5%")[0] is Result.FAIL
    assert verdict(slow, make(values(1)), "rate=5%")[0] is Result.PASS


@pytest.mark.parametrize("text", ["p95", "p95=10", "p95=x%", "p95=-1%", "nope=5%", "=5%", "a: rate=5%", "p9=5%"])
def test_a_bad_allowance_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|unknown|is a figure of the whole run"):
        parse_allowance(text)
