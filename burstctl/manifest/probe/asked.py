"""Whether a threshold asks a probe for what it can tell. Gives no verdict."""

from collections.abc import Mapping
from difflib import get_close_matches

from burstctl.manifest.probe.kinds import KINDS
from burstctl.manifest.probe.leaf import FIGURES
from burstctl.manifest.problem import RejectedError
from burstctl.manifest.suggest import suggest_name
from burstctl.metric import series_of
from burstctl.threshold import Threshold


def check_asked(threshold: Threshold, probes: Mapping[str, str]) -> None:
    """Refuse a threshold on a probe or series that there is not; `probes` gives each name's kind."""
    name = threshold.probe
    if name is None:
        return
    if name not in probes:
        raise RejectedError(f"no probe has the name {name}", suggest_name(name, list(probes), "there are no probes"))
    kind = KINDS.get(probes[name])
    if kind is None:
        return
    series = series_of(threshold.metric)
    if series is not None and series not in kind.series:
        known = [f"probe.{name}.{one}" for one in (*FIGURES, *kind.series)]
        close = get_close_matches(f"probe.{name}.{series}", known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"it tells {', '.join((*FIGURES, *kind.series))}"
        raise RejectedError(f"the probe {name} does not tell {series}", hint)
    if threshold.metric.endswith(".recovery") and kind.recovery_s is None:
        raise RejectedError(f"{probes[name]} probes have no recovery", "what it tells is no load that falls back")
