"""The fleet's figures as Prometheus text. Knows nothing of how they are served."""

from burstctl.fleet.stats import FleetStats

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def render_metrics(stats: FleetStats) -> str:
    """Write the exposition format, version 0.0.4; requests by status always show 200, even at 0."""
    totals = {200: 0, **stats.status}
    return "".join(
        [
            _metric("inference_queue_length", "gauge", "Requests waiting for a slot.", {"": stats.queue}),
            _metric("inference_queue_length_peak", "gauge", "Most requests waiting at once.", {"": stats.peak_queue}),
            _metric("inference_in_service", "gauge", "Requests being served.", {"": stats.in_service}),
            _metric("inference_slots", "gauge", "Requests that can be served at once.", {"": stats.slots}),
            _metric(
                "inference_requests_total",
                "counter",
                "Requests answered, by status.",
                {f'{{status="{status}"}}': count for status, count in totals.items()},
            ),
        ]
    )


def _metric(name: str, kind: str, text: str, samples: dict[str, int]) -> str:
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}", *(f"{name}{key} {n}" for key, n in samples.items())]
    return "\n".join(lines) + "\n"
