"""Reads a burst manifest as far as lint looks at it, defaults of `${NAME:-default}` included. Loads no schema."""

from burstctl.lint.compose import Schema, read_yaml
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.file import File
from burstctl.lint.manifest.model import Manifest
from burstctl.pattern import pattern
from burstctl.units import parse_rate

_MARKS = frozenset({"requests", "target"})
_DEFAULT = pattern(r"\$\{\w+:-(?P<default>[^}]*)\}")


def read_manifest(file: File) -> Manifest | None:
    """Read a manifest; None for a file that is none. `Unreadable` if it is no YAML."""
    # A run reads YAML 1.2; texts are enough here, so no scalar needs a type.
    roots = read_yaml(file, Schema(resolve=str, late_merge_wins=False)).roots
    root = roots[0] if roots else None
    if not isinstance(root, Mapping) or not _MARKS & root.entries.keys():
        return None
    head = next(iter(root.entries.values())).key.span
    rate = root.get("rate_limit")
    if isinstance(rate, Mapping):
        rate = rate.get("rate")
    thresholds = root.get("thresholds")
    return Manifest(
        head=head,
        rate=rate.span if isinstance(rate, Scalar) and rate.text else None,
        rate_per_s=_rate_of(rate),
        has_thresholds=isinstance(thresholds, Sequence) and bool(thresholds.items),
    )


def _rate_of(value: Value | None) -> float | None:
    if not isinstance(value, Scalar):
        return None
    try:
        return parse_rate(_DEFAULT.sub(lambda match: match["default"], value.text))
    except ValueError:
        return None
