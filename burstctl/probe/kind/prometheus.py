"""A metric of a Prometheus endpoint: its series added up, or the largest, or their mean. Knows no transport."""

import math
from collections.abc import Callable, Mapping, Sequence

from burstctl.probe.exposition import find_series, matches
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "prometheus"

MOST_BYTES = 8 * 2**20
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

COMBINE: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "max": max,
    "mean": lambda values: math.fsum(values) / len(values),
}


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    metric = settings.text("metric") or PRESETS[settings.text("preset")]
    return _Prometheus(settings, means, metric)


class _Prometheus:
    def __init__(self, settings: ProbeSettings, means: Means, metric: str) -> None:
        self._url = settings.text("url")
        self._headers = {"accept": ACCEPT, **settings.mapping("headers")}
        self._metric = metric
        self._labels = settings.mapping("labels")
        self._combine = COMBINE[settings.text("over") or "sum"]
        self._fetch = means.fetch

    async def read(self) -> Sequence[Reading]:
        body = await self._fetch(self._url, self._headers, MOST_BYTES)
        series = list(find_series(body.decode("utf-8", "replace"), self._metric))
        chosen = [one.value for one in series if matches(one, self._labels)]
        if not chosen:
            missing = "no series has these labels" if series else "it is not in the answer"
            raise ProbeError(f"metric {self._metric}: {missing}")
        return [{MAIN: self._combine(chosen)}]

    async def aclose(self) -> None:
        """Connections are the fetcher's."""
