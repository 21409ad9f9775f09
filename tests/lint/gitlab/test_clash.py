"""Keys without effect are told with both lines."""

from typing import Any


def test_a_duplicate_key(read: Any) -> None:
    view = read("job:\n  script: [a]\n  stage: x\n  script: [b]\n")
    (hit,) = view.pipeline.hits
    assert (hit.code, hit.span.begins.line, hit.job) == ("BL003", 4, "job")
    assert "line 2" in hit.message
    assert view.script() == ["b"]


def test_a_job_that_stands_twice(read: Any) -> None:
    assert read("a: {script: [a]}\nb: {script: [x]}\na: {script: [b]}\n").hits == [("BL003", 3)]


def test_a_late_merge(read: Any) -> None:
    view = read(".t: &t {stage: t, script: [t]}\njob:\n  script: [own]\n  stage: s\n  <<: *t\n")
    (hit,) = view.pipeline.hits
    assert (hit.code, hit.span.begins.line, hit.job) == ("BL004", 5, "job")
    assert "`stage` (line 4), `script` (line 3)" in hit.message
    assert view.script() == ["t"]


def test_a_file_that_is_included_twice_tells_once(read: Any) -> None:
    assert read("include: [a.yml, a.yml]\n", {"a.yml": "a: {stage: x, stage: y}\n"}).hits == [("BL003", 1)]
