"""Which of several parallel jobs a process is: as each CI system tells it, or as the user does."""

import pytest

from burstctl.errors import UsageError
from burstctl.pace.jobs import ALONE, Place, find_place

GITLAB = {"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"}


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({}, (1, 1)),
        ({"CI_NODE_TOTAL": "1"}, (1, 1)),
        (GITLAB, (2, 3)),
        ({"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"}, (1, 4)),
        ({"SYSTEM_JOBPOSITIONINPHASE": "4", "SYSTEM_TOTALJOBSINPHASE": "4"}, (4, 4)),
        ({"BUILDKITE_PARALLEL_JOB": "2", "BUILDKITE_PARALLEL_JOB_COUNT": "3"}, (3, 3)),
        ({"BITBUCKET_PARALLEL_STEP": "1", "BITBUCKET_PARALLEL_STEP_COUNT": "2"}, (2, 2)),
        ({"SEMAPHORE_JOB_INDEX": "1", "SEMAPHORE_JOB_COUNT": "2"}, (1, 2)),
        ({"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "1"}, (1, 1)),
        ({"JOB_COMPLETION_INDEX": "5"}, (1, 1)),
        ({"CI_NODE_INDEX": "", "CI_NODE_TOTAL": "3"}, (1, 1)),
    ],
)
def test_the_ci_system_tells(environ: dict[str, str], place: tuple[int, int]) -> None:
    found = find_place(None, None, environ)
    assert (found.job, found.jobs) == place
    assert bool(found.told_by) is (found.jobs > 1)


@pytest.mark.parametrize(
    ("jobs", "job", "environ", "place"),
    [
        (3, 2, {}, Place(2, 3, "the settings jobs and job")),
        (1, None, GITLAB, ALONE),
        (5, None, GITLAB, Place(2, 5, "GitLab's CI_NODE_INDEX")),
        (4, None, {"JOB_COMPLETION_INDEX": "0"}, Place(1, 4, "Kubernetes's JOB_COMPLETION_INDEX")),
        (3, 1, GITLAB, Place(1, 3, "the settings jobs and job")),
        (None, 3, GITLAB, Place(3, 3, "job, and the CI system's total")),
    ],
)
def test_what_the_user_says_goes_over_it(
    jobs: int | None, job: int | None, environ: dict[str, str], place: Place
) -> None:
    assert find_place(jobs, job, environ) == place


@pytest.mark.parametrize(
    ("jobs", "job", "environ", "said"),
    [
        (3, None, {}, "jobs is 3, but which of them is this one?"),
        (None, 2, {}, "job 2, but of how many?"),
        (3, 4, {}, "this can't be job 4 of 3"),
        (1, 2, {}, "this can't be job 2 of 1"),
        (2, None, {"CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "3"}, "this can't be job 3 of 2"),
        (None, None, {"CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"}, "this can't be job 0 of 3"),
        (None, None, {"CI_NODE_INDEX": "one", "CI_NODE_TOTAL": "3"}, "CI_NODE_INDEX should be a number"),
        (None, None, {"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "-3"}, "CI_NODE_TOTAL should be a number"),
    ],
)
def test_what_can_not_be_is_said(jobs: int | None, job: int | None, environ: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("?", r"\?")) as refused:
        find_place(jobs, job, environ)
    assert refused.value.hint
