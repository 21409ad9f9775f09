"""Which ledger a job belongs to: its pipeline's and its target's. Gives names that tell nothing of either."""

import hashlib
from collections.abc import Mapping

VARIABLE = "BURSTCTL_SHARE_ID"
_PIPELINES = (
    VARIABLE,
    "CI_PIPELINE_ID",
    "GITHUB_RUN_ID",
    "BUILDKITE_BUILD_ID",
    "CIRCLE_WORKFLOW_ID",
    "BUILD_BUILDID",
    "BITBUCKET_PIPELINE_UUID",
    "SEMAPHORE_WORKFLOW_ID",
    "DRONE_BUILD_NUMBER",
    "BUILD_TAG",
)
"""GitLab, GitHub, Buildkite, CircleCI, Azure, Bitbucket, Semaphore, Drone and Jenkins, behind what the user says."""


def find_pipeline(environ: Mapping[str, str]) -> str:
    """Tell what names this pipeline's run; empty where nothing does, and all jobs with this target share one ledger."""
    found = ((name, environ.get(name, "").strip()) for name in _PIPELINES)
    return next((f"{name}={text}" for name, text in found if text), "")


def ledger_key(pipeline: str, base_url: str) -> str:
    """Name a ledger."""
    return hashlib.blake2b(f"{pipeline}\n{base_url}".encode(), digest_size=16).hexdigest()
