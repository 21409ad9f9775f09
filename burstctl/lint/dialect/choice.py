"""Tells by words of a path which dialects may want the file unasked: to load all takes longer than to check a pipeline.

A dialect without a line here is always asked.
"""

from collections.abc import Iterable, Iterator

_WORDS = {
    "argo": ("argo",),
    "azure": ("azure-pipeline",),
    "bitbucket": ("bitbucket-pipelines.yml",),
    "buildkite": ("buildkite",),
    "circleci": (".circleci/",),
    "cloudformation": ("cloudformation", "cfn", "template"),
    "dockerfile": ("dockerfile", "containerfile"),
    "github": (".github/workflows/", "action.y"),
    "github_action": ("action.y",),
    "gitlab": (".gitlab-ci.yml",),
    "gunicorn": ("gunicorn",),
    "jenkins": ("jenkinsfile",),
    "manifest": ("burst",),
    "script": (".sh",),
    "systemd": (".service",),
    "tekton": ("tekton",),
    "terraform": (".tf",),
}
"""By module, in small letters: a path has one of them, or the dialect doesn't want it."""


def eligible(names: Iterable[str], path: str) -> Iterator[str]:
    """Give those of the dialects' modules that may want a file at this path below the root, or gather it."""
    lower = path.lower()
    return (name for name in names if name not in _WORDS or any(word in lower for word in _WORDS[name]))
