"""Each preset finds its queue in what its server shows: sample expositions in the servers' documented shape."""

from collections.abc import Callable
from typing import Any

import pytest

from burstctl.probe.kind.prometheus import PRESETS

SAMPLES = {
    "vllm": (
        """\
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="llama"} 8.0
# HELP vllm:num_requests_waiting Number of requests waiting to be processed.
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="llama"} 12.0
vllm:num_requests_waiting{engine="1",model_name="llama"} 3.0
# HELP vllm:num_requests_waiting_by_reason Number of requests waiting, by reason.
# TYPE vllm:num_requests_waiting_by_reason gauge
vllm:num_requests_waiting_by_reason{engine="0",model_name="llama",reason="capacity"} 12.0
""",
        15,
    ),
    "vllm-ray": (
        """\
# HELP ray_vllm_num_requests_waiting Number of requests waiting to be processed.
# TYPE ray_vllm_num_requests_waiting gauge
ray_vllm_num_requests_waiting{Component="core_worker",ReplicaId="a",engine="0",model_name="m"} 2.0
ray_vllm_num_requests_waiting{Component="core_worker",ReplicaId="b",engine="0",model_name="m"} 5.0
""",
        7,
    ),
    "sglang": (
        """\
# HELP sglang:num_queue_reqs The number of requests in the waiting queue
# TYPE sglang:num_queue_reqs gauge
sglang:num_queue_reqs{model_name="meta-llama/Llama-3.1-8B-Instruct"} 2826.0
""",
        2826,
    ),
    "tgi": (
        """\
# TYPE tgi_request_count counter
tgi_request_count 42

# TYPE tgi_queue_size gauge
tgi_queue_size 6

# TYPE tgi_request_queue_duration histogram
tgi_request_queue_duration_bucket{le="0.0001"} 0
tgi_request_queue_duration_bucket{le="+Inf"} 42
tgi_request_queue_duration_sum 0.01
tgi_request_queue_duration_count 42
""",
        6,
    ),
    "triton": (
        """\
# HELP nv_inference_queue_duration_us Cumulative inference queuing duration in microseconds (includes cached requests)
# TYPE nv_inference_queue_duration_us counter
nv_inference_queue_duration_us{model="bert",version="2"} 306090
# HELP nv_inference_pending_request_count Instantaneous number of pending requests awaiting execution per-model.
# TYPE nv_inference_pending_request_count gauge
nv_inference_pending_request_count{model="resnet50",version="1"} 3
nv_inference_pending_request_count{model="bert",version="2"} 11
""",
        14,
    ),
    "dynamo": (
        """\
# HELP dynamo_frontend_queued_requests Number of requests waiting in the frontend
# TYPE dynamo_frontend_queued_requests gauge
dynamo_frontend_queued_requests{model="qwen"} 4
""",
        4,
    ),
    "torchserve": (
        """\
# HELP QueueTime Torchserve prometheus gauge metric with unit: Milliseconds
# TYPE QueueTime gauge
QueueTime{Level="Host",Hostname="88665a372f4b",} 17.0
# HELP ts_queue_latency_microseconds Torchserve prometheus counter metric with unit: Microseconds
# TYPE ts_queue_latency_microseconds counter
ts_queue_latency_microseconds{model_name="mnist",model_version="default",hostname="88665a372f4b",} 364.884
""",
        17,
    ),
    "ray-serve": (
        """\
# HELP ray_serve_deployment_queued_queries The current number of queries to this deployment waiting to be assigned.
# TYPE ray_serve_deployment_queued_queries gauge
ray_serve_deployment_queued_queries{Component="core_worker",application="agent",deployment="Runtime",handle="x"} 2.0
ray_serve_deployment_queued_queries{Component="core_worker",application="agent",deployment="Runtime",handle="y"} 1.0
""",
        3,
    ),
    "bentoml": (
        """\
# HELP bentoml_service_request_in_progress Multiprocess metric
# TYPE bentoml_service_request_in_progress gauge
bentoml_service_request_in_progress{endpoint="/predict",runner_name="",service_name="s",service_version="v"} 5.0
""",
        5,
    ),
    "burstctl": ("# TYPE inference_queue_length gauge\ninference_queue_length 9\n", 9),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_finds_its_queue(
    ask: Callable[..., list[float | str]], answering: Callable[..., Any], preset: str
) -> None:
    sample, queue = SAMPLES[preset]
    assert ask(answering(sample.encode()), "prometheus", 1, preset=preset) == [queue]


def test_sglang_with_priorities_is_not_counted_twice(
    ask: Callable[..., list[float | str]], answering: Callable[..., Any]
) -> None:
    """It tells the whole under an empty priority, and the parts beside it."""
    sample = b"""\
# TYPE sglang:num_queue_reqs gauge
sglang:num_queue_reqs{model_name="m",tp_rank="0",priority=""} 9.0
sglang:num_queue_reqs{model_name="m",tp_rank="0",priority="1"} 4.0
sglang:num_queue_reqs{model_name="m",tp_rank="0",priority="2"} 5.0
"""
    assert ask(answering(sample), "prometheus", 1, preset="sglang") == [9]
    assert ask(answering(sample), "prometheus", 1, preset="sglang", labels={"priority": "2"}) == [5]
