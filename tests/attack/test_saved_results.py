"""Saved results as pipelines hand them over: spoiled, foreign, missing, doubled. Each is told, none breaks anything."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from burstctl.cli.main import main
from burstctl.errors import UsageError
from burstctl.gate import judge
from burstctl.report.registry import load, load_comparing, names
from burstctl.result.allowance import parse_allowance
from burstctl.result.compare import compare
from burstctl.result.merge import merge
from burstctl.result.read import Saved, read_result

GOLDEN = Path(__file__).parent.parent / "report" / "golden" / "json"
DOCUMENT = json.loads((GOLDEN / "fail.txt").read_text(encoding="utf-8"))
DOCUMENT["generator"]["lag_ms"] = DOCUMENT["latency_ms"]  # as a real run has them: with all samples
EVIL: tuple[object, ...] = (
    None, True, -1, 0, 10**400, 1e308, -1e308, 1.5, 2**63, 10**30, "", "x" * 5000, "\x1b[31m\n::error::", "\ud800", [],
    {}, [[]], [None], {"": None}, {"a": {"b": [1]}}, "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00",
)  # fmt: skip
GONE = object()
Places = tuple[Any, ...]


def places(value: object, path: Places = ()) -> Iterator[Places]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def spoiled(path: Places, value: object) -> bytes:
    document = copy.deepcopy(DOCUMENT)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    if value is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return json.dumps(document).encode()


def use(text: bytes, good: Saved) -> None:
    """Do with a result all that can be done with one; `UsageError` where it is refused."""
    other = read_result(text, "b.json")
    for name in names():
        load(name).render(other.summary, other.verdict).encode()
    for base, new in ((good, other), (other, good)):
        load_comparing("json").render(compare(base, new, [parse_allowance("p95=10%"), parse_allowance("rate=5%")]))
    joined = merge([good, other])
    verdict = judge(joined, [judgement.threshold for judgement in other.verdict.judgements])
    load("json").render(joined, verdict)


@pytest.mark.parametrize("seed", range(4))
def test_a_result_with_anything_in_any_place_is_used_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    everywhere = list(places(DOCUMENT))
    good = read_result(json.dumps(DOCUMENT).encode(), "a.json")
    use(json.dumps(DOCUMENT).encode(), good)
    refused = 0
    for _ in range(60):
        path, value = rng.choice(everywhere), rng.choice([*EVIL, GONE])
        try:
            use(spoiled(path, value), good)
        except UsageError:
            refused += 1
    assert refused > 10


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., str]:
    """Save a result with something changed; an index and a total make it the shard of a job."""

    def write(name: str, change: dict[str, Any] | None = None, *, index: int = 1, total: int = 1) -> str:
        document = {**DOCUMENT, "shard": {"index": index, "total": total}, **(change or {})}
        (tmp_path / name).write_text(json.dumps(document))
        return str(tmp_path / name)

    return write


def told(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert "a bug" not in err
    return out + err


@pytest.mark.parametrize("command", ["show", "merge", "compare"])
def test_garbage_is_refused_with_the_files_name(
    save: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    good, bad = save("good.json"), tmp_path / "bad.json"
    whole = Path(good).read_bytes()
    older = json.dumps({**DOCUMENT, "schema": "burstctl.report/0"}).encode()
    texts = [b"", b"\x00" * 50, b"\xff\xfe", whole[: len(whole) // 2], whole[:-3], whole + whole, b"[" * 10_000, older]
    texts += [b'{"schema": "burstctl.attempt/1"}\n{}', b"<html>", b"9" * 10_000, b"null", b"{}"]
    for text in texts:
        bad.write_bytes(text)
        files = [str(bad)] if command == "show" else [good, str(bad)]
        assert main(["report", command, *files]) == 2
        assert "bad.json" in told(capsys)


def test_a_file_without_end_is_refused(save: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(2**30)  # sparse
    assert main(["report", "show", str(tmp_path / "huge.json")]) == 2
    assert "larger than 256 MiB" in told(capsys)


def test_a_billion_missing_jobs_are_counted_not_listed(save: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "merge", save("a.json", index=3, total=10**9)]) in (1, 4)
    out = told(capsys)
    assert "1, 2, 4, 5" in " ".join(out.split())
    assert "999,999,979 more of 1000000000" in " ".join(out.split())


@pytest.mark.parametrize(("index", "total"), [(0, 3), (4, 3), (1, 0)])
def test_a_job_that_can_not_be_is_refused(
    save: Any, capsys: pytest.CaptureFixture[str], index: int, total: int
) -> None:
    assert main(["report", "merge", save("a.json", index=index, total=total)]) == 2
    assert "shard.index" in told(capsys)


def test_results_years_apart_are_joined_in_no_time(save: Any, tmp_path: Path) -> None:
    files = [save("a.json"), save("b.json", {"started_at": "2031-01-31T03:00:00+00:00"})]
    assert main(["report", "merge", *files, "--report", f"json={tmp_path / 'all.json'}"]) == 1
    assert len(json.loads((tmp_path / "all.json").read_text())["timeline"]) == 2 * len(DOCUMENT["timeline"])


def test_far_too_few_requests_other_settings_and_other_plans(save: Any, capsys: pytest.CaptureFixture[str]) -> None:
    base = save("base.json")
    few = {"planned": 10, "succeeded": 10, "failed": 0, "attempts": 10, "retries": 0}
    assert main(["report", "compare", base, save("few.json", few)]) == 4
    assert "not comparable" in told(capsys)
    other = save("other.json", {"settings": {"rate_limit": {"rate": "100/s"}}})
    assert main(["report", "compare", base, other]) == 4
    assert "the settings differ in rate_limit" in told(capsys)
    assert main(["report", "merge", base, other]) == 2
    assert "not of one plan" in told(capsys)
    twice = [save("1.json", index=1, total=2), save("1-again.json", index=1, total=2)]
    assert main(["report", "merge", *twice]) == 2
    assert "both of job 1 of 2" in told(capsys)
