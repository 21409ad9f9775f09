"""Tells which rules a pipeline can concern, by the families of their codes: loading all takes longer than asking some.

BL0: what readers note. BL11: manifests. BL4, BL5: what a fleet's own files declare. All others: load, and rates.
"""

from collections.abc import Iterable, Iterator

from burstctl.lint.case import Case

_NOTES = "BL0"
_OPAQUE = "BL011"
_SCALARS = "BL108"
"""Of global variables, too."""
_MANIFESTS = "BL11"
_FLEETS = ("BL4", "BL5")


def relevant(codes: Iterable[str], case: Case) -> Iterator[str]:
    """Give the codes of the rules that may find something."""
    noted = {hit.code for hit in case.pipeline.hits}
    has_load = _may_load(case)
    has_fleet = case.pipeline.fleet is not None
    for code in codes:
        if code in noted:
            yield code
        elif code.startswith(_FLEETS):
            if has_fleet:
                yield code
        elif code.startswith(_MANIFESTS):
            if case.pipeline.manifest is not None:
                yield code
        elif code == _SCALARS:
            if has_load or case.pipeline.variables:
                yield code
        elif has_load and (code == _OPAQUE or not code.startswith(_NOTES)):
            yield code


def _may_load(case: Case) -> bool:
    """Tell whether any job fires load as far as its words tell, or is said to."""
    return any(case.suspects(job) for job in case.pipeline.jobs)
