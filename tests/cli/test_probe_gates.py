"""Four thresholds on a fleet, its load balancer and its scaling group: held together, and each broken alone."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import pytest

from tests.aws import REGION, environ_of, serve_aws

Run = Callable[..., Any]
Fleet = Callable[..., Any]

MANIFEST = """\
version: 1
target: {{base_url: "{url}"}}
rate_limit: {rate_limit}
requests: [{{name: predict, path: /predict, json: {{text: hello}}, count: 900}}]
probes:
  - {{name: queue, kind: prometheus, url: "{url}/metrics", metric: inference_queue_length, every: 100ms}}
  - {{name: targets, kind: aws-target-health, target_group: "{targets}", every: 500ms, timeout: 20s, {more}}}
  - {{name: scaling, kind: aws-scaling, group: {group}, every: 500ms, timeout: 20s, {more}}}
thresholds: {thresholds}
"""
THRESHOLDS = (
    "probe.queue.max <= 200",
    "probe.targets.healthy.min == 3",
    "probe.scaling.launches >= 1",
    "probe.queue.recovery < 60s",
)
THROTTLED, UNTHROTTLED = "300/s", "{rate: 3000/s, controller: fixed}"


class Account:
    """An AWS account with a target group of three instances and an Auto Scaling group, by moto."""

    def __init__(self, url: str) -> None:
        self.environ = environ_of(url)
        self.activities: list[dict[str, object]] = []
        keys = {"endpoint_url": url, "aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": REGION}
        self._ec2, self._elb, self._scaling = (boto3.client(name, **keys) for name in ("ec2", "elbv2", "autoscaling"))
        self.image = self._ec2.describe_images()["Images"][0]["ImageId"]
        self._vpc = self._ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        self._scaling.create_launch_configuration(
            LaunchConfigurationName="lc", ImageId=self.image, InstanceType="t3.micro"
        )
        self._made = 0

    def make_targets(self, stopped: int) -> str:
        self._made += 1
        name = f"fleet-{self._made}"
        group = self._elb.create_target_group(Name=name, Protocol="HTTP", Port=80, VpcId=self._vpc)
        arn: str = group["TargetGroups"][0]["TargetGroupArn"]
        started = self._ec2.run_instances(ImageId=self.image, MinCount=3, MaxCount=3)["Instances"]
        self._elb.register_targets(TargetGroupArn=arn, Targets=[{"Id": one["InstanceId"]} for one in started])
        if stopped:
            self._ec2.stop_instances(InstanceIds=[one["InstanceId"] for one in started[:stopped]])
        return arn

    def make_group(self) -> str:
        self._made += 1
        name = f"asg-{self._made}"
        self._scaling.create_auto_scaling_group(
            AutoScalingGroupName=name, LaunchConfigurationName="lc", MinSize=1, MaxSize=9, DesiredCapacity=3,
            AvailabilityZones=[f"{REGION}a"],
        )  # fmt: skip
        return name

    def scale_out(self, group: str) -> None:
        self._scaling.set_desired_capacity(AutoScalingGroupName=group, DesiredCapacity=4)
        self.activities.append(
            {
                "ActivityId": str(len(self.activities)),
                "AutoScalingGroupName": group,
                "Cause": "a user request",
                "Description": "Launching a new EC2 instance: i-4",
                "StartTime": datetime.now(UTC),
                "StatusCode": "Successful",
            }
        )


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    """Moto keeps no activities of a group: they are put beside it, and go through its server as all else."""
    from moto.autoscaling.responses import AutoScalingResponse
    from moto.core.responses import ActionResult

    with serve_aws() as url, pytest.MonkeyPatch.context() as patch:
        account = Account(url)

        def describe(response: Any) -> Any:
            group = response._get_param("AutoScalingGroupName")
            mine = [one for one in account.activities if one["AutoScalingGroupName"] == group]
            return ActionResult({"Activities": mine[::-1]})

        patch.setattr(AutoScalingResponse, "describe_scaling_activities", describe)
        yield account


def write(folder: Path, **parts: Any) -> str:
    text = MANIFEST.format(**{"rate_limit": THROTTLED, "more": "", "thresholds": json.dumps(THRESHOLDS), **parts})
    (folder / "burst.yaml").write_text(text)
    return "burst.yaml"


@pytest.mark.parametrize(
    ("broken", "observed"),
    [
        (None, None),
        ("probe.queue.max <= 200", "observed "),
        ("probe.targets.healthy.min == 3", "observed 2"),
        ("probe.scaling.launches >= 1", "observed 0"),
    ],
)
def test_the_four_thresholds_hold_and_each_breaks_alone(
    burstctl: Run, fleet: Fleet, tmp_path: Path, account: Account, broken: str | None, observed: str | None
) -> None:
    group = account.make_group()
    targets = account.make_targets(stopped=1 if broken and "targets" in broken else 0)
    with fleet() as running:
        rate_limit = UNTHROTTLED if broken and "queue" in broken else THROTTLED
        manifest = write(tmp_path, url=running.url, targets=targets, group=group, rate_limit=rate_limit)
        over = threading.Event()

        def scale_out_once_the_burst_has_begun() -> None:
            while not running.get("/stats")["arrivals"]:
                if over.wait(0.05):
                    return
            account.scale_out(group)

        scaling = threading.Thread(target=scale_out_once_the_burst_has_begun)
        if not broken or "scaling" not in broken:
            scaling.start()
        result = burstctl("run", manifest, "--report", "json=-", env=account.environ, timeout=180)
        over.set()
        if scaling.ident is not None:
            scaling.join()
    report = json.loads(result.out)
    statuses = {one["expression"]: one["status"] for one in report["thresholds"]}
    assert {one: statuses[one] for one in THRESHOLDS} == {
        one: "fail" if one == broken else "pass" for one in THRESHOLDS
    }
    assert (result.code, report["verdict"]) == ((0, "pass") if broken is None else (1, "fail"))
    assert report["probes"]["scaling"]["errors"] == report["probes"]["targets"]["errors"] == 0
    if broken is None:
        assert report["reasons"] == []
    else:
        assert report["reasons"][0].startswith(f"{broken}: {observed}")
    assert report["succeeded"] == 900


def test_a_recovery_of_more_than_a_minute_fails(burstctl: Run, tmp_path: Path, gauge: Any) -> None:
    text = (
        f'version: 1\ntarget: {{base_url: "{gauge.url}"}}\nrequests: [{{name: a, path: /p, json: {{}}, count: 10}}]\n'
        f'probes: [{{name: queue, kind: prometheus, url: "{gauge.url}", metric: inference_queue_length}}]\n'
        'thresholds: ["probe.queue.recovery < 60s"]\n'
    )
    (tmp_path / "burst.yaml").write_text(text)
    gauge.on_request = gauge.rise
    result = burstctl("run", "burst.yaml", "--report", "json=-", timeout=180)
    report = json.loads(result.out)
    assert (result.code, report["verdict"]) == (1, "fail")
    assert report["reasons"][0].startswith((f"{THRESHOLDS[3]}: observed 1 m 0", f"{THRESHOLDS[3]}: observed 60."))
    assert report["probes"]["queue"]["recovery_s"] is None
    assert "probe queue is at 500, before the run it was at 0; waiting up to 60 s for its return" in result.err


@pytest.mark.parametrize(
    ("environ", "why"),
    [
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "endpoint connection error"),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "no credentials error"),
    ],
)
@pytest.mark.parametrize(("more", "code", "verdict"), [("", 4, "inconclusive"), ("required: true", 1, "fail")])
def test_without_data_it_is_inconclusive_and_where_data_is_required_it_fails(
    burstctl: Run, fleet: Fleet, tmp_path: Path, account: Account,
    environ: dict[str, str], why: str, more: str, code: int, verdict: str,
) -> None:  # fmt: skip
    around = {name: value for name, value in {**account.environ, **environ}.items() if value}
    with fleet() as running:
        manifest = write(tmp_path, url=running.url, targets="arn:none", group="none", more=more)
        result = burstctl("run", manifest, "--report", "json=-", env=around, timeout=180)
    report = json.loads(result.out)
    assert (result.code, report["verdict"], report["succeeded"]) == (code, verdict, 900)
    statuses = {one["expression"]: one["status"] for one in report["thresholds"]}
    assert [statuses[one] for one in THRESHOLDS] == ["pass", "no_data", "no_data", "pass"]
    told = f"{THRESHOLDS[1]}: no data: aws: describe_target_health: {why} ("
    assert any(one.startswith(told) for one in report["reasons"])


def test_a_run_that_passed_once_passes_no_more_when_the_fleet_has_changed(
    burstctl: Run, fleet: Fleet, tmp_path: Path, account: Account
) -> None:
    """`verify` after a deploy gates on the same."""
    group = account.make_group()
    with fleet() as running:
        codes = []
        for stopped in (0, 1):
            manifest = write(
                tmp_path, url=running.url, targets=account.make_targets(stopped), group=group,
                thresholds=json.dumps(THRESHOLDS[:2]),
            )  # fmt: skip
            result = burstctl("verify", manifest, "--for", "2s", "--rate", "5/s", env=account.environ, timeout=120)
            codes.append(result.code)
    assert codes == [0, 1]
    assert result.out.startswith("FAIL  probe.targets.healthy.min == 3: observed 2")
