"""Probes of every kind against real peers on loopback, and against dead, slow, lying, huge and changing ones."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer
from prometheus_client import CollectorRegistry, Gauge, start_http_server

from burstctl.cli.probing import open_means
from burstctl.clock import clock_of
from burstctl.plan import Target
from burstctl.probe import registry
from burstctl.probe.probe import MAIN, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

ELSEWHERE = Target("http://127.0.0.1:1")
PYTHON = sys.executable


@contextlib.asynccontextmanager
async def opened(kind: str, **keys: Any) -> AsyncIterator[Any]:
    """Open a probe of a kind."""
    means, fetcher = open_means(ELSEWHERE, clock_of(asyncio.get_running_loop()))
    probe = registry.load(kind).make(ProbeSettings("p", kind, keys=keys), means)
    try:
        yield probe
    finally:
        await probe.aclose()
        await fetcher.aclose()


def read(kind: str, times: int = 1, **keys: Any) -> list[Reading]:
    """Read a probe several times."""

    async def main() -> list[Reading]:
        async with opened(kind, **keys) as probe:
            return [reading for _ in range(times) for reading in await asyncio.wait_for(probe.read(), 10)]

    return asyncio.run(main())


def main_of(readings: Sequence[Reading]) -> list[float]:
    return [reading[MAIN] for reading in readings]


# HTTP


@pytest.fixture(scope="module")
def prometheus() -> Iterator[str]:
    """Serve a gauge of two engines by the official client."""
    registered = CollectorRegistry()
    gauge = Gauge("vllm:num_requests_waiting", "Waiting", ["engine"], registry=registered)
    gauge.labels("0").set(12)
    gauge.labels("1").set(30)
    server, thread = start_http_server(0, "127.0.0.1", registry=registered)
    yield f"http://127.0.0.1:{server.server_address[1]}/metrics"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ({"metric": "vllm:num_requests_waiting"}, 42),
        ({"preset": "vllm"}, 42),
        ({"preset": "vllm", "over": "max"}, 30),
        ({"preset": "vllm", "over": "mean"}, 21),
        ({"preset": "vllm", "labels": {"engine": "0"}}, 12),
    ],
)
def test_prometheus(prometheus: str, keys: dict[str, Any], value: float) -> None:
    assert main_of(read("prometheus", 2, url=prometheus, **keys)) == [value, value]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"metric": "vllm:nothing"}, "metric vllm:nothing: it is not in the answer"),
        ({"preset": "vllm", "labels": {"engine": "7"}}, "no series has these labels"),
    ],
)
def test_a_metric_that_is_not_there(prometheus: str, keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ProbeError, match=said):
        read("prometheus", url=prometheus, **keys)


def answering(*answers: bytes, pause_s: float = 0.0) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
    """Answer one request after the other, the last answer for ever."""
    left = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(pause_s)
                body = left.pop(0) if len(left) > 1 else left[0]
                head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
                writer.write(body if body.startswith(b"HTTP/") else head + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.transport.abort()

    return serve


def ask(behave: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any], kind: str, times: int, **keys: Any) -> Any:
    """Read a probe of a small server; an error's text takes the place of a value."""

    async def main() -> list[float | str]:
        server = await asyncio.start_server(behave, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/stats"
        found: list[float | str] = []
        async with opened(kind, url=url, **keys) as probe:
            for _ in range(times):
                try:
                    found += [reading[MAIN] for reading in await asyncio.wait_for(probe.read(), 1)]
                except (ProbeError, TimeoutError) as error:
                    found.append(str(error) or type(error).__name__)
        server.close()
        await asyncio.sleep(0.01)  # what was cut off is closed by then
        return found

    return asyncio.run(main())


def test_json_by_pointer_while_the_document_changes() -> None:
    documents = (b'{"a/b": [{"queue": 3}]}', b'{"a/b": [{"queue": "4.5"}]}', b'{"a/b": [{"queue": [1, 2]}]}', b"{}")
    assert ask(answering(*documents), "json", 5, pointer="/a~1b/0/queue") == [
        3, 4.5, 2, "nothing stands at /a~1b/0/queue", "nothing stands at /a~1b/0/queue",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", "status 503"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "status 302"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n1", "TimeoutError"),
        (b"HTTP/1.1 OK 200\r\n\r\n", "protocol: the answer is not valid HTTP"),
        (b'{"queue": true}', "what stands at /queue is no number"),
        (b'{"queue": 1e999}', "what stands at /queue is no number"),
        (b"[" * 100_000, "the answer is not valid JSON"),
        (b'{"queue": 1, "x": "' + b"x" * 2**21 + b'"}', "too_large: the body is larger than 1,048,576 bytes"),
    ],
)
def test_answers_of_no_use_are_told(answer: bytes, said: str) -> None:
    assert ask(answering(answer), "json", 1, pointer="/queue") == [said]


def test_a_dead_server_and_a_slow_one() -> None:
    with pytest.raises(ProbeError, match="connect: connection refused"):
        read("json", url="http://127.0.0.1:1/", pointer="")
    assert ask(answering(b"1", pause_s=30), "json", 1, pointer="") == ["TimeoutError"]


def test_a_metric_in_the_middle_of_a_huge_exposition_is_found_quickly() -> None:
    filler = b"".join(b'other_metric{label="%d"} 1\n' % i for i in range(100_000))
    assert ask(answering(filler + b"queue 7\n" + filler), "prometheus", 1, metric="queue") == [7]


# Commands


def test_a_command_prints_a_number() -> None:
    assert main_of(read("command", 2, command=[PYTHON, "-c", "print(7.5)"])) == [7.5, 7.5]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('many')", "the command did not print one number"),
        ("print(float('nan'))", "the command did not print one number"),
        ("raise SystemExit(3)", "the command ended with code 3"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9 ended the command"),
        ("print('x' * 100_000)", "the command says more than 64 KiB"),
        ("while True: print('x' * 1000)", "the command says more than 64 KiB"),
    ],
)
def test_commands_of_no_use_are_told(code: str, said: str) -> None:
    with pytest.raises(ProbeError, match=said):
        read("command", command=[PYTHON, "-c", code])


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(ProbeError, match="the command can't be started: no such file"):
        read("command", command=["/no/such/command"])


def test_a_command_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    note = tmp_path / "child"
    code = (
        "import subprocess, sys, time;"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        f"open({str(note)!r}, 'w').write(str(child.pid)); time.sleep(60)"
    )

    async def main() -> None:
        async with opened("command", command=[PYTHON, "-c", code]) as probe:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(2):
                    await probe.read()

    asyncio.run(main())
    pid = int(note.read_text())
    for _ in range(100):
        if not _runs(pid):
            return
        time.sleep(0.02)
    pytest.fail("its child still runs")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_command_that_goes_on_is_a_log() -> None:
    code = "import time\nfor i in range(10**6): print(f'Queue size = {i}', flush=True); time.sleep(0.01)"

    async def main() -> list[float]:
        seen: list[float] = []
        async with opened("log", command=[PYTHON, "-c", code], pattern=r"size = (?P<value>\d+)") as probe:
            async with asyncio.timeout(10):
                while len(seen) < 20:
                    seen += main_of(await probe.read())
                    await asyncio.sleep(0.05)
        return seen

    seen = asyncio.run(main())
    assert seen == list(range(len(seen)))


def test_a_log_command_that_has_ended_is_told_after_its_last_line() -> None:
    async def main() -> list[float]:
        seen: list[float] = []
        async with opened("log", command=[PYTHON, "-c", "print('v=3')"], pattern=r"v=(?P<value>\d)") as probe:
            for _ in range(200):
                try:
                    seen += main_of(await probe.read())
                except ProbeError as error:
                    assert str(error) == "the command has ended"  # noqa: PT017 - at which reading is not known
                    return seen
                await asyncio.sleep(0.05)
        pytest.fail("it never ends")

    assert asyncio.run(main()) == [3]


# Redis


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a Redis of our own on a Unix socket."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("redis-server is not installed (apt-get install redis-server)")
    home = tmp_path_factory.mktemp("redis")
    socket = home / "redis.sock"
    arguments = [program, "--port", "0", "--unixsocket", str(socket), "--dir", str(home), "--save", ""]
    process = subprocess.Popen([*arguments, "--requirepass", "s3cret-pass"], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if socket.exists():
                break
            time.sleep(0.02)
        yield f"unix://:s3cret-pass@{socket}"
    finally:
        process.terminate()
        process.wait(10)


def test_redis_lengths(redis_url: str) -> None:
    async def fill() -> None:
        from redis import asyncio as client

        async with client.Redis.from_url(redis_url) as connection:
            await connection.rpush("jobs", *"abc")
            await connection.xadd("stream", {"a": "b"})
            await connection.zadd("set", {"a": 1, "b": 2})

    asyncio.run(fill())
    assert main_of(read("redis", 2, url=redis_url, key="jobs")) == [3, 3]
    assert main_of(read("redis", url=redis_url, key="stream", type="stream")) == [1]
    assert main_of(read("redis", url=redis_url, key="set", type="zset")) == [2]
    assert main_of(read("redis", url=redis_url, key="none")) == [0]


@pytest.mark.parametrize(
    ("change", "key", "said"),
    [
        (("s3cret-pass", "wr0ng-pass"), "jobs", "redis: (authentication|connection) error"),
        (("", ""), "stream", "redis: response error"),
        (("redis.sock", "none.sock"), "jobs", "redis: connection error"),
    ],
)
def test_redis_faults_are_told_without_the_password(
    redis_url: str, change: tuple[str, str], key: str, said: str
) -> None:
    with pytest.raises(ProbeError, match=said) as told:
        read("redis", url=redis_url.replace(*change) if change[0] else redis_url, key=key)
    assert "pass" not in str(told.value)


# AWS


@pytest.fixture(scope="module")
def aws() -> Iterator[str]:
    """Serve moto's AWS on loopback, with credentials and region in the environment."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ENDPOINT_URL": url,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_REGION": "eu-central-1",
            "AWS_DEFAULT_REGION": "eu-central-1",
        }.items():
            patch.setenv(name, value)
        yield url
    server.stop()


def test_sqs(aws: str) -> None:
    sqs = boto3.client("sqs")
    url = sqs.create_queue(QueueName="jobs")["QueueUrl"]
    for _ in range(3):
        sqs.send_message(QueueUrl=url, MessageBody="x")
    sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=1)
    assert read("sqs", queue_url=url) == [{MAIN: 2, "in_flight": 1}]


def test_cloudwatch_gives_each_datapoint_once(aws: str) -> None:
    data = [{"MetricName": "InferenceQueueLength", "Value": value} for value in (10.0, 30.0)]
    boto3.client("cloudwatch").put_metric_data(Namespace="Fleet", MetricData=data)
    keys = {"namespace": "Fleet", "metric": "InferenceQueueLength", "statistic": "Maximum"}
    assert main_of(read("cloudwatch", 2, **keys)) == [30]
    with pytest.raises(ProbeError, match="no datapoint in the last 600 s"):
        read("cloudwatch", namespace="Fleet", metric="Nothing")


def test_target_health(aws: str) -> None:
    ec2, elb = boto3.client("ec2"), boto3.client("elbv2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    group = elb.create_target_group(Name="fleet", Protocol="HTTP", Port=80, VpcId=vpc)
    arn = group["TargetGroups"][0]["TargetGroupArn"]
    image = ec2.describe_images()["Images"][0]["ImageId"]
    started = ec2.run_instances(ImageId=image, MinCount=3, MaxCount=3)["Instances"]
    elb.register_targets(TargetGroupArn=arn, Targets=[{"Id": one["InstanceId"], "Port": 80} for one in started])
    [reading] = read("aws-target-health", target_group=arn)
    assert reading["healthy"] + reading["unhealthy"] == 3
    assert reading[MAIN] == reading["healthy"]
    with pytest.raises(ProbeError, match="aws: describe_target_health was refused: TargetGroupNotFound"):
        read("aws-target-health", target_group=arn.replace("fleet", "none"))


def test_scaling(aws: str) -> None:
    ec2, scaling = boto3.client("ec2"), boto3.client("autoscaling")
    image = ec2.describe_images()["Images"][0]["ImageId"]
    scaling.create_launch_configuration(LaunchConfigurationName="lc", ImageId=image, InstanceType="t3.micro")
    scaling.create_auto_scaling_group(
        AutoScalingGroupName="asg",
        LaunchConfigurationName="lc",
        MinSize=1,
        MaxSize=5,
        DesiredCapacity=2,
        AvailabilityZones=["eu-central-1a"],
    )
    [reading] = read("aws-scaling", group="asg")
    assert (reading["in_service"], reading["desired"], reading["launches"]) == (2, 2, 0)
    with pytest.raises(ProbeError, match="there is no Auto Scaling group none"):
        read("aws-scaling", group="none")


def test_a_dead_aws_is_told_in_bounded_time(monkeypatch: pytest.MonkeyPatch, aws: str) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(ProbeError, match="aws: get_queue_attributes: endpoint connection error"):
        read("sqs", queue_url="http://127.0.0.1:1/1/jobs")
