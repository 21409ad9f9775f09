"""Failures are grouped, bounded, and shown without secrets."""

from burstctl.attempt import Failure
from burstctl.record.causes import Causes
from burstctl.secret import Redactor


def test_like_failures_are_one_cause_with_one_example() -> None:
    causes = Causes(Redactor(()))
    for i in range(5):
        causes.add(Failure("status 500", f"trace {i}"))
    causes.add(Failure("status 404"))
    assert [(cause.text, cause.count, cause.example) for cause in causes.listed()] == [
        ("status 500", 5, "trace 0"),
        ("status 404", 1, ""),
    ]


def test_a_server_that_makes_up_causes_does_not_fill_the_memory() -> None:
    causes = Causes(Redactor(()))
    for i in range(10_000):
        causes.add(Failure(f"json $.x{i} is not as expected", "x" * 2000))
    listed = causes.listed()
    assert len(listed) <= 101
    assert sum(cause.count for cause in listed) == 10_000
    assert all(len(cause.example) <= 201 for cause in listed)


def test_a_secret_is_masked_even_where_the_example_is_cut() -> None:
    secret = "s3cr3t-token-value"
    causes = Causes(Redactor([secret]))
    causes.add(Failure("status 401", "x" * 195 + secret))
    assert secret[:5] not in causes.listed()[0].example
