"""A metric of a Prometheus endpoint: its series added up, or the largest, or their mean. Knows no transport."""

import math
from collections.abc import Callable, Mapping, Sequence

from burstctl.probe.exposition import Series, find_series, matches, type_of
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "prometheus"
HINT = "get the url from this machine, by curl, and look for the metric in the answer"

MOST_BYTES = 8 * 2**20
_MOST_SERIES = 10_000
_SLICE = 100
"""Series between two breaths."""
ACCEPT = "text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1"

PRESETS = {
    "vllm": "vllm:num_requests_waiting",
    "vllm-ray": "ray_vllm_num_requests_waiting",
    "sglang": "sglang:num_queue_reqs",
    "tgi": "tgi_queue_size",
    "triton": "nv_inference_pending_request_count",
    "dynamo": "dynamo_frontend_queued_requests",
    "torchserve": "QueueTime",
    "ray-serve": "ray_serve_deployment_queued_queries",
    "bentoml": "bentoml_service_request_in_progress",
    "burstctl": "inference_queue_length",
}
"""The metric of each inference server that tells how many requests wait (TorchServe: how long they do, in ms)."""

PRESET_LABELS: Mapping[str, Mapping[str, str]] = {
    # With priorities, it tells the whole queue under none, and its parts beside it.
    "sglang": {"priority": ""},
}

COMBINE: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "max": max,
    "mean": lambda values: math.fsum(values) / len(values),
}


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Prometheus(settings, means)


class _Prometheus:
    def __init__(self, settings: ProbeSettings, means: Means) -> None:
        preset = settings.text("preset")
        self._url = settings.text("url")
        self._headers = {"accept": ACCEPT, **settings.mapping("headers")}
        self._metric = settings.text("metric") or PRESETS[preset]
        self._labels = {**PRESET_LABELS.get(preset, {}), **settings.mapping("labels")}
        self._combine = COMBINE[settings.text("over") or "sum"]
        self._means = means

    async def read(self) -> Sequence[Reading]:
        body = await self._means.fetch(self._url, self._headers, MOST_BYTES)
        series: list[Series] = []
        for one in find_series(body, self._metric):
            series.append(one)
            if len(series) > _MOST_SERIES:
                raise ProbeError(f"metric {self._metric} has more than {_MOST_SERIES:,} series")
            if len(series) % _SLICE == 0:
                await self._means.breathe()
        if not series:
            raise ProbeError(self._why_missing(body))
        return [{MAIN: self._combine(self._values_of([one for one in series if matches(one, self._labels)]))}]

    async def aclose(self) -> None:
        """Connections are the fetcher's."""

    def _values_of(self, chosen: Sequence[Series]) -> Sequence[float]:
        """Take the values, if it makes sense to combine them."""
        if not chosen:
            raise ProbeError(f"metric {self._metric}: no series has these labels")
        for label in ("le", "quantile"):
            if len({one.labels.get(label) for one in chosen}) > 1:
                raise ProbeError(f"metric {self._metric} has a series for each {label}: choose one by labels")
        values = [one.value for one in chosen if one.value is not None]
        if len(values) < len(chosen):
            # What is left of a sum would look like a short queue.
            lacking = len(chosen) - len(values)
            raise ProbeError(f"metric {self._metric}: {lacking} of {len(chosen)} series have no finite value")
        return values

    def _why_missing(self, body: bytes) -> str:
        metric = self._metric
        if body[:100].lstrip()[:1] == b"<":
            return "the answer is a web page, not metrics"
        kind = type_of(body, metric)
        if kind in ("histogram", "summary"):
            return f"metric {metric} is a {kind}: name {metric}_sum or {metric}_count"
        return f"metric {metric}: it is not in the answer"
