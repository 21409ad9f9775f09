"""Whatever stands where AWS should, each of its kinds tells it in words, in bounded time and memory; and it changes."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest

from tests.aws import SECRET, environ_of, serve_aws
from tests.probe.kind.conftest import Behave, read_some

Opened = Callable[..., AbstractAsyncContextManager[Any]]

KINDS: dict[str, dict[str, str]] = {
    "sqs": {"queue_url": "http://ADDRESS/1/jobs"},
    "cloudwatch": {"namespace": "Fleet", "metric": "Queue"},
    "aws-target-health": {"target_group": "arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/fleet/1"},
    "aws-scaling": {"group": "asg"},
}
OK = b"HTTP/1.1 200 OK\r\n"
TOO_LARGE = "aws: the answer is larger than 2,097,152 bytes"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, opened: Opened) -> Callable[..., list[float | str]]:
    """Give the means to point a kind at a small server, or at none, and read it."""

    def asked(
        kind: str, behave: Behave | None, times: int = 1, within_s: float = 20.0, timeout_s: float = 5.0
    ) -> list[float | str]:
        async def main() -> list[float | str]:
            server = None if behave is None else await asyncio.start_server(behave, "127.0.0.1", 0)
            address = "127.0.0.1:1" if server is None else f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            for name, value in environ_of(f"http://{address}").items():
                monkeypatch.setenv(name, value)
            keys = {name: value.replace("ADDRESS", address) for name, value in KINDS[kind].items()}
            async with opened(kind, timeout_s, **keys) as probe:
                found = await read_some(probe, times, within_s)
            if server is not None:
                server.close()
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            await asyncio.sleep(0.05)  # what was cut off is closed by then
            return found

        return asyncio.run(main())

    return asked


@pytest.mark.parametrize("kind", KINDS)
def test_a_dead_one(asked: Callable[..., list[float | str]], kind: str) -> None:
    [said] = asked(kind, None)
    assert str(said).endswith(": endpoint connection error")


@pytest.mark.parametrize("kind", KINDS)
def test_a_slow_one_is_given_up_and_never_asked_twice_at_a_time(
    asked: Callable[..., list[float | str]], answering: Callable[..., Behave], kind: str
) -> None:
    said = asked(kind, answering(b"{}", pause_s=30), times=3, within_s=2.0, timeout_s=30.0)
    assert said == ["TimeoutError", *["the call before has not come back yet"] * 2]


@pytest.mark.parametrize("kind", KINDS)
def test_one_that_trickles_for_ever(
    asked: Callable[..., list[float | str]], flooding: Callable[..., Behave], kind: str
) -> None:
    assert asked(kind, flooding(OK + b"\r\n", b"<", 0.05), timeout_s=1.0) == ["aws: the answer takes too long"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [OK + b"Content-Length: 1073741824\r\n\r\n", OK + b"\r\n"])
def test_a_huge_one(
    asked: Callable[..., list[float | str]], flooding: Callable[..., Behave], kind: str, start: bytes
) -> None:
    assert asked(kind, flooding(start, b"<a>" * 20_000)) == [TOO_LARGE]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff\x00",
        b"<html>s3cret-access-key</html>",
        b"<Response><s3cret-access-key/></Response>",
        b"HTTP/1.1 403 No\r\nContent-Length: 35\r\n\r\n" + b'{"__type": "a#s3cret-access-key x"}',
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{",
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_a_lying_one_is_an_error_in_words_without_what_it_said(
    asked: Callable[..., list[float | str]], answering: Callable[..., Behave], kind: str, answer: bytes
) -> None:
    [said] = asked(kind, answering(answer))
    assert isinstance(said, str)
    assert said.startswith(("aws: ", "the answer is not", "there is no"))
    assert SECRET not in said


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with serve_aws() as url:
        for name, value in environ_of(url).items():
            monkeypatch.setenv(name, value)
        yield


def test_a_fleet_that_changes_between_readings(aws: None, opened: Opened) -> None:
    """A queue is drained, a metric moves on, an instance stops, a group grows: each next reading tells it."""
    ec2, sqs, elb, scaling = (boto3.client(name) for name in ("ec2", "sqs", "elbv2", "autoscaling"))
    cloudwatch = boto3.client("cloudwatch")
    image = ec2.describe_images()["Images"][0]["ImageId"]
    queue_url = sqs.create_queue(QueueName="changing")["QueueUrl"]
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    created = elb.create_target_group(Name="changing", Protocol="HTTP", Port=80, VpcId=vpc)
    arn = created["TargetGroups"][0]["TargetGroupArn"]
    instances = [one["InstanceId"] for one in ec2.run_instances(ImageId=image, MinCount=2, MaxCount=2)["Instances"]]
    elb.register_targets(TargetGroupArn=arn, Targets=[{"Id": one} for one in instances])
    scaling.create_launch_configuration(LaunchConfigurationName="c", ImageId=image, InstanceType="t3.micro")
    scaling.create_auto_scaling_group(
        AutoScalingGroupName="changing", LaunchConfigurationName="c", MinSize=1, MaxSize=5, DesiredCapacity=1,
        AvailabilityZones=["eu-central-1a"],
    )  # fmt: skip
    at = datetime.now(UTC)

    def put(value: float) -> None:
        data = [{"MetricName": "Changing", "Value": value, "Timestamp": at}]
        cloudwatch.put_metric_data(Namespace="Fleet", MetricData=data)

    def change() -> None:
        for _ in range(3):
            sqs.send_message(QueueUrl=queue_url, MessageBody="x")
        put(40.0)
        ec2.stop_instances(InstanceIds=instances[:1])
        scaling.set_desired_capacity(AutoScalingGroupName="changing", DesiredCapacity=4)

    async def main() -> dict[str, list[float | str]]:
        found = {}
        metric = {"namespace": "Fleet", "metric": "Changing", "statistic": "Maximum", "period": 3600}
        async with (
            opened("sqs", 20.0, queue_url=queue_url) as a,
            opened("cloudwatch", 20.0, **metric) as b,
            opened("aws-target-health", 20.0, target_group=arn) as c,
            opened("aws-scaling", 20.0, group="changing") as d,
        ):
            put(10.0)
            for name, probe in (("sqs", a), ("cloudwatch", b), ("health", c), ("scaling", d)):
                found[name] = await read_some(probe, 1, 30)
            change()
            for name, probe in (("sqs", a), ("cloudwatch", b), ("health", c), ("scaling", d)):
                found[name] += await read_some(probe, 1, 30)
        return found

    assert asyncio.run(main()) == {"sqs": [0, 3], "cloudwatch": [10, 40], "health": [2, 1], "scaling": [1, 4]}
