"""Reads an answer: is it what was expected, what does it ask of the client. Decides nothing that follows from it."""

from dataclasses import replace

from burstctl.attempt import Answer, Attempt, Failure
from burstctl.control.announced import read_announced
from burstctl.control.retry_after import read_retry_after
from burstctl.expect import find_mismatch
from burstctl.plan import Request
from burstctl.secret import Redactor, secret_values


def appraise(request: Request, number: int, serial: int, sent_s: float, answer: Answer, wall_s: float) -> Attempt:
    """Make an attempt of an answer; `wall_s` is the Unix time at which dates in its headers are read."""
    mismatch = _find_mismatch(request, answer, answer.done_s - sent_s) if answer.fault is None else None
    good = answer.fault is None and mismatch is None
    return Attempt(
        request.index,
        request.name,
        number,
        serial,
        sent_s,
        answer,
        mismatch,
        None if good else read_retry_after(dict(answer.headers), wall_s),
        read_announced(answer.headers, wall_s),
    )


def _find_mismatch(request: Request, answer: Answer, latency_s: float) -> Failure | None:
    mismatch = find_mismatch(request.expect, answer, latency_s)
    if mismatch is None or request.row is None:
        return mismatch
    # A row's own credentials are not among the run's secrets, and a server may send them back.
    masked = Redactor(secret_values(request.headers, request.target)).redact(mismatch.example)
    return replace(mismatch, example=masked)
