"""A run's thresholds: the manifest's, the command line's over them, and the defaults. Judges nothing."""

from collections.abc import Iterable, Mapping, Sequence

from burstctl.errors import UsageError
from burstctl.manifest.probe.asked import check_asked
from burstctl.manifest.problem import RejectedError
from burstctl.manifest.suggest import suggest_name
from burstctl.threshold import Threshold, parse_threshold

_DEFAULTS = ("failed <= 0%", "unsent <= 0%")


def compose_thresholds(
    own: Iterable[Threshold], added: Sequence[str], names: Sequence[str], probes: Mapping[str, str]
) -> tuple[Threshold, ...]:
    """Lay `added` expressions over a manifest's own.

    `names` are the requests that will be sent, `probes` the kinds of the probes by name.
    """
    over = [_parse(expression, names, probes) for expression in added]
    replaced = {(threshold.metric, threshold.scope) for threshold in over}
    kept = [t for t in own if (t.metric, t.scope) not in replaced and (t.scope is None or t.scope in names)]
    given = {threshold.metric for threshold in (*kept, *over) if threshold.scope is None}
    defaults = [parse_threshold(expression) for expression in _DEFAULTS]
    return (*(default for default in defaults if default.metric not in given), *kept, *over)


def _parse(expression: str, names: Sequence[str], probes: Mapping[str, str]) -> Threshold:
    try:
        threshold = parse_threshold(expression)
        check_asked(threshold, probes)
    except RejectedError as error:
        raise UsageError(f"threshold {expression!r}: {error}", hint=error.hint) from None
    except ValueError as error:
        raise UsageError(f"threshold {expression!r}: {error}") from None
    if threshold.scope is not None and threshold.scope not in names:
        raise UsageError(
            f"threshold {expression!r}: no request has the name {threshold.scope}",
            hint=suggest_name(threshold.scope, names),
        )
    return threshold
