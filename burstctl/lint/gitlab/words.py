"""The words that GitLab has reserved at the top of its CI files. Knows no values."""

GLOBAL_KEYS = frozenset(
    {
        "default",
        "include",
        "stages",
        "variables",
        "workflow",
        "spec",
        "image",
        "services",
        "cache",
        "before_script",
        "after_script",
        "types",
    }
)
"""No names of jobs; `pages` is one."""

DEFAULT_KEYS = (
    "after_script",
    "artifacts",
    "before_script",
    "cache",
    "hooks",
    "id_tokens",
    "image",
    "interruptible",
    "retry",
    "services",
    "tags",
    "timeout",
)
"""What `default` may hold, hence what a job takes from there where it lacks it."""

OLD_DEFAULT_KEYS = ("image", "services", "cache", "before_script", "after_script")
"""Defaults that may also stand at the top of the file."""

STAGES = ("build", "test", "deploy")
"""The stages of a pipeline that names none."""


def is_hidden(name: str) -> bool:
    """Tell whether an entry of this name is a template, which never runs."""
    return name.startswith(".")
