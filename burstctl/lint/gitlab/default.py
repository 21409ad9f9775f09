"""`default`: what a job takes from there where it lacks it, key by key. Merges nothing."""

from collections.abc import Mapping as AbstractMapping

from burstctl.lint.document import Entry, Mapping, Scalar
from burstctl.lint.gitlab.variable import allowed
from burstctl.lint.gitlab.words import DEFAULT_KEYS, OLD_DEFAULT_KEYS


def defaults_of(entries: AbstractMapping[str, Entry]) -> dict[str, Entry]:
    """Give a configuration's defaults; those that stand at its top, in the old way, are the weaker ones."""
    old = {key: entries[key] for key in OLD_DEFAULT_KEYS if key in entries}
    default = entries.get("default")
    if default is None or not isinstance(default.value, Mapping):
        return old
    named = default.value.entries
    return {**old, **{key: named[key] for key in DEFAULT_KEYS if key in named}}


def with_defaults(job: Mapping, defaults: AbstractMapping[str, Entry]) -> Mapping:
    """Give a job with the defaults that its `inherit` lets in; a null counts as lacking."""
    taken = allowed(tuple(defaults), job.get("inherit"), "default")
    lacking = {name: defaults[name] for name in taken if _lacks(job, name)}
    return Mapping(job.span, {**job.entries, **lacking}) if lacking else job


def _lacks(job: Mapping, name: str) -> bool:
    value = job.get(name)
    return value is None or (isinstance(value, Scalar) and value.value is None and not value.text)
