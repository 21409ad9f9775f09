"""The table of truth: of servers whose nature is known, burstctl must tell the one right verdict, every time.

Real processes, real sockets. What a case is stands in `table.py`; here stands what holds for all of them.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from xml.etree import ElementTree

import pytest

from .case import Case
from .play import Played, Stage
from .table import CASES

VERDICTS = {
    0: "pass", 1: "fail", 3: "unavailable", 4: "inconclusive", 5: "nothing", 130: "interrupted", 143: "interrupted",
}  # fmt: skip
AT_ONCE = 6
"""Most of a case is waiting; more of them would wait for a processor."""

PLAYS_ALONE = 8
SERVER_LATE_S = 0.01

Bursts = Callable[[Case], Iterator[Played]]


@pytest.fixture(scope="module")
def bursts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bursts]:
    """Play all chosen cases side by side, in the table's order; gives what becomes of a case."""
    cases = (_params(item).get("case") for item in request.session.items)
    chosen = {case.name for case in cases if isinstance(case, Case)}
    stage = Stage(tmp_path_factory.mktemp("stage"))

    def play(case: Case) -> Played:
        return stage.play(case, tmp_path_factory.mktemp("case"))

    with stage.open(), ThreadPoolExecutor(AT_ONCE) as pool:
        playing = {
            case.name: [pool.submit(play, case) for _ in range(case.times)] for case in CASES if case.name in chosen
        }

        def settle(case: Case, burst: Future[Played]) -> Played:
            """Play a case again, alone, where the machine was too busy for anybody to be what the case says."""
            played = burst.result()
            for _ in range(PLAYS_ALONE):
                if _ends_right(case, played) or not _was_disturbed(played):
                    break
                wait([one for every in playing.values() for one in every])
                played = play(case)
            return played

        yield lambda case: (settle(case, burst) for burst in playing[case.name])
        pool.shutdown(cancel_futures=True)


def _ends_right(case: Case, played: Played) -> bool:
    if played.code != case.truth.code or played.code == 2:
        return played.code == case.truth.code
    return case.truth.says in "; ".join(played.report["reasons"])


def _was_disturbed(played: Played) -> bool:
    """Tell whether the server was slower than its nature, or burstctl says of nothing but itself that it was late."""
    if played.server_late_s > SERVER_LATE_S:
        return True
    return played.code == 4 and all("burstctl" in reason for reason in played.report["reasons"])


def _params(item: pytest.Item) -> dict[str, Any]:
    return getattr(getattr(item, "callspec", None), "params", {})


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_server_of_known_nature_gets_the_verdict_that_it_deserves(case: Case, bursts: Bursts) -> None:
    for number, played in enumerate(bursts(case), 1):
        try:
            _hold_against(case, played)
        except AssertionError as error:
            error.add_note(f"burst {number} of {case.times}:\n{played.out}\n{played.err}")
            raise


def test_the_table_is_large_and_its_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 40
    assert {case.truth.code for case in CASES} == {0, 1, 2, 3, 4, 5, 130, 143}


def _hold_against(case: Case, played: Played) -> None:
    truth = case.truth
    assert "Traceback" not in played.out + played.err
    assert (played.code, truth.says in played.err if truth.code == 2 else True) == (truth.code, True)
    if truth.code == 2:
        assert played.arrivals == 0
        assert not {"report.json", "report.xml", "report.env"} & set(played.files)
        return
    report = played.report
    verdict = VERDICTS[truth.code]
    assert (report["verdict"], report["exit_code"]) == (verdict, truth.code)
    assert played.out.startswith(f"{verdict.upper()}  ")
    said = {
        one.get("name"): one.get("value") for one in ElementTree.fromstring(played.files["report.xml"]).iter("property")
    }
    assert (said["verdict"], said["exit_code"]) == (verdict, str(truth.code))
    assert f"BURSTCTL_VERDICT={verdict}\n" in played.files["report.env"]
    for key in ("succeeded", "failed", "unsent"):
        assert getattr(truth, key) in (None, report[key]), key
    reasons = "; ".join(report["reasons"])
    assert bool(reasons) is (truth.code != 0)
    assert truth.says in reasons
    assert truth.warns in "; ".join(report["warnings"])
    assert not truth.seen or report["status"] | report["faults"] == dict(truth.seen)
    _add_up(report)


def _add_up(report: dict[str, Any]) -> None:
    """Check what every report promises of its counts."""
    for figures in (report, *report["requests"].values()):
        sent = figures["attempts"] - figures["retries"]
        assert figures["planned"] == figures["succeeded"] + figures["failed"] + figures["unsent"]
        assert figures["attempts"] == sum(figures["status"].values()) + sum(figures["faults"].values())
        assert figures["planned"] - figures["unsent"] == sent
        assert figures["latency_ms"]["count"] == figures["succeeded"]
