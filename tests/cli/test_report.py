"""`burstctl report` from the command line: files in, reports out, exit by the verdict."""

import json
from pathlib import Path

import pytest

from burstctl.cli.main import main
from burstctl.gate import judge
from burstctl.record.distribution import Distribution
from burstctl.report import json as json_report
from burstctl.summary import Figures, Rate, Shard, Spread, Summary
from burstctl.threshold import parse_threshold


def spread(scale: float) -> Spread:
    distribution = Distribution()
    for at in range(400):
        distribution.add((20 + at % 40) * scale)
    return distribution.spread()


def save(path: Path, *, index: int = 1, total: int = 1, scale: float = 1.0, failed: int = 0) -> str:
    figures = Figures(400 + failed, 400, failed, attempts=400 + failed, latency_ms=spread(scale), status={200: 400})
    run = Summary(
        "smoke", "2025-01-31T03:00:00+00:00", 4.0, figures, {"predict": figures}, Rate(300.0, 299.0, 300, 0.0, 3.9),
        settings={"rate_limit": 1}, shard=Shard(index, total),
    )  # fmt: skip
    verdict = judge(run, [parse_threshold("failed <= 0%"), parse_threshold("p95 < 200ms")])
    path.write_text(json_report.render(run, verdict))
    return str(path)


def test_merges_the_shards_of_parallel_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [save(tmp_path / f"{index}.json", index=index, total=3) for index in (1, 2, 3)]
    out, junit = tmp_path / "all.json", tmp_path / "junit.xml"
    assert main(["report", "merge", *files, "--report", f"json={out}", "--report", f"junit={junit}"]) == 0
    assert capsys.readouterr().out.startswith("PASS  1,200 of 1,200 requests succeeded")
    document = json.loads(out.read_text())
    assert (document["verdict"], document["planned"], document["exit_code"]) == ("pass", 1200, 0)
    assert 'tests="4"' in junit.read_text()


def test_a_missing_shard_is_inconclusive_and_strict_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [save(tmp_path / f"{index}.json", index=index, total=3) for index in (1, 3)]
    assert main(["report", "merge", *files]) == 4
    assert "job 2 of 3 is missing" in capsys.readouterr().out
    assert main(["report", "merge", *files, "--strict"]) == 1


def test_a_threshold_can_be_added_when_merging(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [save(tmp_path / f"{index}.json", index=index, total=2) for index in (1, 2)]
    assert main(["report", "merge", *files, "--threshold", "predict: p50 < 10ms"]) == 1
    assert "predict: p50 < 10ms" in capsys.readouterr().out
    assert main(["report", "merge", *files, "--threshold", "nobody: p50 < 10ms"]) == 2


def test_shows_a_result_in_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save(tmp_path / "a.json", failed=5)
    assert main(["report", "show", file]) == 0
    assert capsys.readouterr().out.startswith("FAIL  failed <= 0%")
    assert main(["report", "show", file, "--report", "markdown=-"]) == 0
    assert capsys.readouterr().out.startswith("### ❌ burstctl smoke: fail")
    copy = tmp_path / "b.json"
    assert main(["report", "show", file, "--report", f"json={copy}"]) == 0
    assert copy.read_text() == Path(file).read_text()


def test_makes_a_page_of_one_result_and_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [save(tmp_path / f"{index}.json", index=index, total=2, failed=5) for index in (1, 2)]
    page = tmp_path / "page.html"
    assert main(["report", "show", files[0], "--report", f"html={page}"]) == 0
    assert "<title>FAIL smoke – burstctl</title>" in page.read_text(encoding="utf-8")
    assert main(["report", "merge", *files, "--report", f"html={page}"]) == 1
    assert "800 of 810 requests succeeded" in page.read_text(encoding="utf-8")
    capsys.readouterr()


def test_compares_with_a_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, same = save(tmp_path / "base.json"), save(tmp_path / "same.json")
    slow = save(tmp_path / "slow.json", scale=1.5)
    assert main(["report", "compare", base, same]) == 0
    assert capsys.readouterr().out.startswith("PASS  nothing got worse")
    out = tmp_path / "comparison.json"
    assert main(["report", "compare", base, slow, "--max-regression", "p95=10%", "--report", f"json={out}"]) == 1
    document = json.loads(out.read_text())
    assert (document["schema"], document["verdict"], document["exit_code"]) == ("burstctl.comparison/1", "fail", 1)
    [p95] = [one for one in document["metrics"] if one["metric"] == "p95"]
    assert p95["change"] == pytest.approx(0.5, rel=0.01)
    capsys.readouterr()
    assert main(["report", "compare", base, slow, "--max-regression", "p95=60%", "--report", "markdown=-"]) == 0
    assert capsys.readouterr().out.startswith("### ✅ burstctl comparison: pass")


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nowhere.json"],
        ["merge", "nowhere.json"],
        ["merge"],
        ["compare", "a.json"],
        ["compare", "{a}", "{a}", "--max-regression", "p95"],
        ["compare", "{a}", "{a}", "--report", "junit=x"],
        ["show", "{a}", "--report", "ndjson=-"],
        ["show", "{a}", "--report", "json={a}"],
        ["merge", "{a}", "{a}"],
        ["merge", "{a}", "--report", "json=/nowhere/x.json"],
    ],
)
def test_bad_input_is_a_usage_error(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save(tmp_path / "a.json")
    before = Path(file).read_bytes()
    assert main(["report", *(one.replace("{a}", file) for one in arguments)]) == 2
    said = capsys.readouterr().err
    assert "Error: " in said
    assert "Traceback" not in said
    assert Path(file).read_bytes() == before
