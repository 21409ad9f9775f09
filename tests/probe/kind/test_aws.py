"""The AWS kinds against moto's server over real HTTP, and against servers that are no AWS; its policy is enough."""

import ast
import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest

import burstctl.probe.kind
from burstctl.errors import UsageError
from burstctl.probe.probe import MAIN, ProbeError, Reading
from tests.aws import SECRET, environ_of, serve_aws

Read = Callable[..., list[Reading]]
Opened = Callable[..., AbstractAsyncContextManager[Any]]

POLICY = Path(__file__).parents[3] / "examples" / "infrastructure" / "probe-policy.json"


@pytest.fixture(scope="module")
def aws() -> Iterator[str]:
    """Serve moto's AWS on loopback, with credentials and region in the environment, and no files of the user's."""
    with serve_aws() as url, pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        for name, value in environ_of(url).items():
            patch.setenv(name, value)
        yield url


@pytest.fixture(scope="module")
def queue(aws: str) -> str:
    """A queue of three messages, one of which is being worked on."""
    sqs = boto3.client("sqs")
    url: str = sqs.create_queue(QueueName="jobs")["QueueUrl"]
    for _ in range(3):
        sqs.send_message(QueueUrl=url, MessageBody="x")
    sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=1, VisibilityTimeout=3600)
    return url


def test_sqs(read: Read, queue: str) -> None:
    assert read("sqs", 2, queue_url=queue) == [{MAIN: 2, "in_flight": 1}] * 2


def test_cloudwatch_gives_each_datapoint_once_and_again_when_it_changes(aws: str, opened: Opened) -> None:
    def put(value: float, at: datetime) -> None:
        data = [{"MetricName": "InferenceQueueLength", "Value": value, "Timestamp": at}]
        boto3.client("cloudwatch").put_metric_data(Namespace="Fleet", MetricData=data)

    now = datetime.now(UTC)

    async def main() -> list[list[float] | None]:
        keys = {"namespace": "Fleet", "metric": "InferenceQueueLength", "statistic": "Maximum", "period": 3600}
        seen: list[list[float] | None] = []
        async with opened("cloudwatch", **keys) as probe:
            for value in (30.0, None, 10.0, 40.0):
                if value is not None:
                    put(value, now)
                readings = await probe.read()
                seen.append(None if readings is None else [reading[MAIN] for reading in readings])
        return seen

    assert asyncio.run(main()) == [[30], None, None, [40]]


def test_a_sum_is_told_when_its_period_is_over(aws: str, read: Read) -> None:
    now = datetime.now(UTC)
    data = [
        {"MetricName": "Requests", "Value": value, "Timestamp": now - timedelta(seconds=age_s)}
        for value, age_s in ((100.0, 90), (7.0, 0))
    ]
    boto3.client("cloudwatch").put_metric_data(Namespace="Fleet", MetricData=data)
    keys = {"namespace": "Fleet", "metric": "Requests", "statistic": "Sum"}
    assert read("cloudwatch", **keys) == [{MAIN: 100}]


def test_a_percentile_is_asked_for_as_one(aws: str, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moto knows neither percentiles nor trimmed means: it is taught two, which it is then asked for by name."""
    data = [{"MetricName": "Wait", "Value": float(value)} for value in range(1, 101)]
    boto3.client("cloudwatch").put_metric_data(Namespace="Fleet", MetricData=data)

    def of(statistics: Any, name: str) -> float:
        values: list[float] = sorted(statistics.metric_single_values_list)
        return {"p95": values[94], "tm99": sum(values[:99]) / 99}[name]

    monkeypatch.setattr("moto.cloudwatch.models.Statistics.get_statistics_for_type", of)
    for statistic, value in (("p95", 95), ("tm99", 50)):
        keys = {"namespace": "Fleet", "metric": "Wait", "statistic": statistic, "period": 3600}
        assert read("cloudwatch", **keys) == [{MAIN: value}]


def test_a_metric_that_nobody_publishes(aws: str, read: Read) -> None:
    with pytest.raises(ProbeError, match="no datapoint in the last 600 s"):
        read("cloudwatch", namespace="Fleet", metric="Nothing", dimensions={"Group": "x"})


@pytest.fixture(scope="module")
def image(aws: str) -> str:
    name: str = boto3.client("ec2").describe_images()["Images"][0]["ImageId"]
    return name


@pytest.fixture(scope="module")
def target_group(aws: str, image: str) -> str:
    """A target group of three instances, one of which is stopped."""
    ec2, elb = boto3.client("ec2"), boto3.client("elbv2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    group = elb.create_target_group(Name="fleet", Protocol="HTTP", Port=80, VpcId=vpc)
    arn: str = group["TargetGroups"][0]["TargetGroupArn"]
    started = [one["InstanceId"] for one in ec2.run_instances(ImageId=image, MinCount=3, MaxCount=3)["Instances"]]
    elb.register_targets(TargetGroupArn=arn, Targets=[{"Id": one, "Port": 80} for one in started])
    ec2.stop_instances(InstanceIds=started[:1])
    return arn


def test_target_health(read: Read, target_group: str) -> None:
    [reading] = read("aws-target-health", target_group=target_group)
    states = {"unhealthy", "initial", "draining", "unused", "unavailable"}
    assert reading.keys() == {MAIN, "healthy", *states}
    assert reading[MAIN] == reading["healthy"] == 2
    assert sum(reading[state] for state in states) == 1
    with pytest.raises(ProbeError, match="aws: describe_target_health was refused: TargetGroupNotFound"):
        read("aws-target-health", target_group=target_group.replace("fleet", "none"))


@pytest.fixture(scope="module")
def group(aws: str, image: str) -> str:
    scaling = boto3.client("autoscaling")
    scaling.create_launch_configuration(LaunchConfigurationName="lc", ImageId=image, InstanceType="t3.micro")
    scaling.create_auto_scaling_group(
        AutoScalingGroupName="asg",
        LaunchConfigurationName="lc",
        MinSize=1,
        MaxSize=5,
        DesiredCapacity=2,
        AvailabilityZones=["eu-central-1a"],
    )
    return "asg"


def test_scaling(read: Read, group: str) -> None:
    [reading] = read("aws-scaling", group=group)
    assert (reading["in_service"], reading["desired"], reading["launches"]) == (2, 2, 0)
    with pytest.raises(ProbeError, match="there is no Auto Scaling group none"):
        read("aws-scaling", group="none")


def test_launches_since_the_first_reading_are_counted(aws: str, opened: Opened) -> None:
    """Moto keeps no activities: a small server lists them as AWS does, newest first and in pages."""
    start = datetime.now(UTC)

    def activity(description: str, age_s: float, status: str = "Successful") -> dict[str, Any]:
        return {"Description": description, "StartTime": start - timedelta(seconds=age_s), "StatusCode": status}

    pages: dict[str | None, dict[str, Any]] = {
        None: {
            "Activities": [
                activity("Launching a new EC2 instance: i-1", -5, "InProgress"),
                activity("Launching a new EC2 instance", -4, "Failed"),
            ],
            "NextToken": "2",
        },
        "2": {
            "Activities": [
                activity("Terminating EC2 instance: i-0", -3),
                activity("Launching a new EC2 instance: i-2", -2),
                activity("Launching a new EC2 instance: i-3", 60),
                activity("Launching a new EC2 instance: i-4", 70),
            ],
            "NextToken": "never asked for",
        },
    }

    class Client:
        async def call(self, operation: str, **arguments: Any) -> Any:
            if operation == "describe_scaling_activities":
                return pages[arguments.get("NextToken")]
            instances = [{"LifecycleState": state} for state in ("InService", "Pending", "InService")]
            return {"AutoScalingGroups": [{"Instances": instances, "DesiredCapacity": 3}]}

        def close(self) -> None: ...

    async def main() -> Reading:
        async with opened("aws-scaling", group="asg") as probe:
            probe._client = Client()
            [reading] = await probe.read()
            found: Reading = reading
            return found

    assert asyncio.run(main()) == {MAIN: 2, "in_service": 2, "desired": 3, "launches": 2, "terminations": 1}


# What can go wrong


def test_without_the_extra_one_message_says_what_to_install(
    aws: str, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(UsageError, match="a sqs probe needs boto3") as told:
        read("sqs", queue_url="x")
    assert told.value.hint == "pip install 'burstctl[aws]'"


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("AWS_DEFAULT_REGION", None, "probe p: You must specify a region"),
        ("AWS_PROFILE", "nobody", "probe p: The config profile .nobody. could not be found"),
        ("AWS_ENDPOINT_URL", "nowhere", "probe p: Invalid endpoint: nowhere"),
    ],
)
def test_a_wrong_setup_is_told_before_anything_is_sent(
    aws: str, read: Read, monkeypatch: pytest.MonkeyPatch, variable: str, value: str | None, said: str
) -> None:
    monkeypatch.delenv("AWS_REGION")
    monkeypatch.delenv(variable, raising=False)
    if value is not None:
        monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=said):
        read("sqs", queue_url="x")


def test_a_region_of_the_probe_s_own_goes_before_the_environment(
    aws: str, read: Read, queue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ProbeError, match=r"aws: get_queue_attributes was refused: .*NonExistentQueue"):
        read("sqs", queue_url=queue, region="us-east-1")


def test_without_credentials(aws: str, read: Read, queue: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(ProbeError, match="aws: get_queue_attributes: no credentials error"):
        read("sqs", queue_url=queue)


def test_a_dead_aws_is_told_in_bounded_time(aws: str, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(ProbeError, match="aws: get_queue_attributes: endpoint connection error"):
        read("sqs", queue_url="http://127.0.0.1:1/1/jobs")


LIES = [
    (b"<html>hello</html>", "aws: the answer lacks ApproximateNumberOfMessages"),
    (b"{}", "aws: the answer lacks ApproximateNumberOfMessages"),
    (b'{"Attributes": {"ApproximateNumberOfMessages": "many"}}', "aws: the answer lacks ApproximateNumberOfMessages"),
    (b'{"Attributes": []}', "aws: get_queue_attributes: the answer is not one of AWS"),
    (b"HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nOops", "was refused: 500"),
    (b"HTTP/1.1 403 No\r\nContent-Length: 35\r\n\r\n" + b'{"__type": "a#s3cret-access-key x"}', "was refused: error"),
]


@pytest.mark.parametrize(("answer", "said"), LIES)
def test_liars(
    aws: str, ask: Callable[..., list[float | str]], answering: Callable[..., Any], monkeypatch: pytest.MonkeyPatch,
    answer: bytes, said: str,
) -> None:  # fmt: skip
    seen = asked_by_environment(ask, answering(answer, end=b"\r\n\r\n"), monkeypatch)
    assert said in seen
    assert SECRET not in seen


def asked_by_environment(ask: Any, behave: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Point AWS at a small server; boto3 reads its address from the environment."""
    from burstctl.probe import aws as module

    original = module.AwsClient

    def client(service: str, settings: Any, lane: Any) -> Any:
        monkeypatch.setenv("AWS_ENDPOINT_URL", settings.text("url"))
        return original(service, settings, lane)

    monkeypatch.setattr("burstctl.probe.kind.sqs.AwsClient", client)
    [found] = ask(behave, "sqs", 1, within_s=10, url="http://ADDRESS", queue_url="http://ADDRESS/1/jobs")
    return str(found)


def test_one_that_hangs_is_left_behind_and_holds_up_neither_others_nor_the_end(
    aws: str, opened: Opened, queue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(port: int) -> list[str]:
        said = []
        with monkeypatch.context() as patch:
            patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
            hanging = opened("sqs", 60.0, queue_url="http://127.0.0.1/1/jobs")
            probe = await hanging.__aenter__()
            for _ in range(3):
                try:
                    await asyncio.wait_for(probe.read(), 1.5)
                except (ProbeError, TimeoutError) as error:
                    said.append(str(error) or type(error).__name__)
        async with opened("sqs", queue_url=queue) as healthy:
            said += [str(reading[MAIN]) for reading in await asyncio.wait_for(healthy.read(), 5)]
        await hanging.__aexit__(None, None, None)
        return said

    began_s = time.monotonic()
    before = ["TimeoutError", "the call before has not come back yet", "the call before has not come back yet"]
    with socket.create_server(("127.0.0.1", 0)) as never_accepts:
        assert asyncio.run(main(never_accepts.getsockname()[1])) == [*before, "2.0"]
    assert time.monotonic() - began_s < 20


# The policy


def actions() -> set[str]:
    """Gather what the kinds call, in the words of IAM."""
    found = set()
    for module in Path(burstctl.probe.kind.__path__[0]).glob("*.py"):
        calls = [node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Call)]
        services = [str(first(node)) for node in calls if getattr(node.func, "id", "") == "AwsClient"]
        operations = [str(first(node)) for node in calls if getattr(node.func, "attr", "") == "call"]
        for service in services:
            client = boto3.client(service)
            prefix = {"elbv2": "elasticloadbalancing"}.get(service, service)
            found |= {f"{prefix}:{client.meta.method_to_api_mapping[one]}" for one in operations}
    return found


def first(node: ast.Call) -> object:
    assert isinstance(node.args[0], ast.Constant)
    return node.args[0].value


def test_the_policy_allows_each_call_that_is_made_and_nothing_more(aws: str) -> None:
    policy = json.loads(POLICY.read_text())
    allowed = [action for statement in policy["Statement"] for action in statement["Action"]]
    assert sorted(allowed) == sorted(actions())
    assert all(statement["Effect"] == "Allow" for statement in policy["Statement"])
    assert not any("*" in action for action in allowed)


@pytest.mark.parametrize("without", [None, 0, 1, 2, 3, 4])
def test_a_user_with_the_policy_can_read_every_kind_and_with_one_action_less_not(
    read: Read, queue: str, target_group: str, group: str, monkeypatch: pytest.MonkeyPatch, without: int | None
) -> None:
    """Moto knows neither resources nor CloudWatch's prefix: those two are put into its words."""
    statements = json.loads(POLICY.read_text())["Statement"]
    actions = [action.replace("cloudwatch:", "monitoring:") for one in statements for action in one["Action"]]
    left = [action for index, action in enumerate(actions) if index != without]
    document = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": left, "Resource": "*"}]}
    iam, user = boto3.client("iam"), f"probe-{without}"
    iam.create_user(UserName=user)
    iam.put_user_policy(UserName=user, PolicyName="probe", PolicyDocument=json.dumps(document))
    key = iam.create_access_key(UserName=user)["AccessKey"]
    data = [{"MetricName": "Queue", "Value": 3.0}]
    boto3.client("cloudwatch").put_metric_data(Namespace="Fleet", MetricData=data)

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key["AccessKeyId"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key["SecretAccessKey"])
    monkeypatch.setattr("moto.settings.INITIAL_NO_AUTH_ACTION_COUNT", 0)
    refused = []
    for kind, keys in {
        "sqs": {"queue_url": queue},
        "cloudwatch": {"namespace": "Fleet", "metric": "Queue"},
        "aws-target-health": {"target_group": target_group},
        "aws-scaling": {"group": group},
    }.items():
        try:
            assert read(kind, **keys)
        except ProbeError as error:
            refused.append(str(error))
    assert len(refused) == (without is not None), refused
    assert all("was refused: " in text for text in refused)
