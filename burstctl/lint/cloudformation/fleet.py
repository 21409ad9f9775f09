"""Reads the fleet out of a template's resources. Knows CloudFormation's defaults."""

from collections.abc import Iterator, Sequence

from burstctl.lint.cloudformation.template import Resource, is_computed, items, references, texts
from burstctl.lint.document import Mapping, Scalar, Value, walk
from burstctl.lint.fleet import Alarm, Fleet, Group, Presence, Setting, TargetGroup
from burstctl.lint.pipeline import Hit

GROUP = "AWS::AutoScaling::AutoScalingGroup"
TARGET_GROUP = "AWS::ElasticLoadBalancingV2::TargetGroup"
_POLICY = "AWS::AutoScaling::ScalingPolicy"
_SCALERS = (_POLICY, "AWS::AutoScaling::ScheduledAction", "AWS::ECS::CapacityProvider")
_ALARM = "AWS::CloudWatch::Alarm"
_TRACKING = "TargetTrackingConfiguration"
_TRACKING_PROPERTIES = frozenset(
    {"TargetValue", "DisableScaleIn", "PredefinedMetricSpecification", "CustomizedMetricSpecification"}
)
_DELAY = "deregistration_delay.timeout_seconds"
_METRIC_KEYS = ("MetricName", "PredefinedMetricType")


def read_fleet(resources: Sequence[Resource]) -> tuple[Fleet, list[Hit]]:
    """Give the fleet that a template declares, and what is wrong with its policies."""
    groups = tuple(_group(one, resources) for one in resources if one.kind == GROUP)
    targets = tuple(_target_group(one, resources) for one in resources if one.kind == TARGET_GROUP)
    alarms = tuple(Alarm(one.name, tuple(_metrics(one))) for one in resources if one.kind == _ALARM)
    policies = [one for one in resources if one.kind == _POLICY]
    tracked = tuple(Alarm(one.name, found) for one in policies if (found := tuple(_metrics(one))))
    hits = [hit for one in policies for hit in _misplaced(one)]
    return Fleet(groups, targets, alarms + tracked), hits


def _group(one: Resource, resources: Sequence[Resource]) -> Group:
    scalers = [other for other in resources if other.kind in _SCALERS and one.name in references(other.properties)]
    sure = any(other.sure for other in scalers)
    balancers = [one.get(name) for name in ("TargetGroupARNs", "LoadBalancerNames", "TrafficSources")]
    listed = any(items(found) or (found is not None and not is_computed(found)) for found in balancers)
    return Group(
        name=one.name,
        key=one.key,
        titles=frozenset({one.name, *_names(one, "AutoScalingGroupName")}),
        minimum=one.given("MinSize"),
        maximum=one.given("MaxSize"),
        desired=one.given("DesiredCapacity"),
        health=one.setting("EC2", "HealthCheckType"),
        scaled=Presence.YES if sure else Presence.MAYBE if scalers else Presence.NO,
        balanced=Presence.YES if listed else Presence.MAYBE if any(balancers) else Presence.NO,
        ignored=frozenset({"desired_capacity"}),  # an update sets it only where the template has changed it
        sure=one.sure,
    )


def _target_group(one: Resource, resources: Sequence[Resource]) -> TargetGroup:
    kind, enabled = one.given("TargetType"), one.given("HealthCheckEnabled")
    return TargetGroup(
        name=one.name,
        key=one.key,
        titles=frozenset({one.name, *_names(one, "Name")}),
        interval=one.setting(30, "HealthCheckIntervalSeconds"),
        threshold=one.setting(2, "UnhealthyThresholdCount"),
        deregistration=_delay(one),
        groups=frozenset(
            other.name for other in resources if other.kind == GROUP and one.name in references(other.properties)
        ),
        checked=enabled is None or enabled.value not in (False, "false"),
        sure=one.sure and (kind is None or kind.word != "lambda"),
    )


def _delay(one: Resource) -> Setting:
    attributes = one.get("TargetGroupAttributes")
    for item in items(attributes):
        key, found = (item.get("Key"), item.get("Value")) if isinstance(item, Mapping) else (None, None)
        if isinstance(key, Scalar) and key.text == _DELAY and found is not None:
            return one.worth(found)
    if is_computed(attributes):
        return Setting(one.key, known=False)
    return Setting(one.key, 300, source="by default")


def _names(one: Resource, name: str) -> Iterator[str]:
    """Give what a resource is called: its name and its Name tag."""
    tags = [tag for tag in items(one.get("Tags")) if isinstance(tag, Mapping)]
    named = [tag.get("Value") for tag in tags if _is_text(tag.get("Key"), "Name")]
    for found in (one.get(name), *named):
        if isinstance(found, Scalar):
            yield found.text


def _is_text(found: Value | None, text: str) -> bool:
    return isinstance(found, Scalar) and found.text == text


def _metrics(one: Resource) -> Iterator[str]:
    """Give the names of the metrics that a resource watches, wherever they stand in it."""
    for found in walk(one.properties):
        if isinstance(found, Mapping):
            for name in _METRIC_KEYS:
                yield from (text.text for text in texts(found.get(name)))


def _misplaced(policy: Resource) -> Iterator[Hit]:
    """Find properties that a target-tracking policy doesn't have."""
    tracking = policy.get(_TRACKING)
    for name, entry in tracking.entries.items() if isinstance(tracking, Mapping) else ():
        if name not in _TRACKING_PROPERTIES and not name.startswith("Fn::"):
            message = f"{_TRACKING} has no property {name}: CloudFormation refuses it"
            hint = "set EstimatedInstanceWarmup on the policy" if "Cooldown" in name else None
            yield Hit("BL408", entry.key.span, message, hint=hint, key=f"{policy.name}.{name}")
    kind = policy.given("PolicyType")
    cooldown = policy.properties.entries.get("Cooldown")
    if kind is not None and kind.word == "TargetTrackingScaling" and cooldown is not None:
        message = "a TargetTrackingScaling policy has no Cooldown: only a SimpleScaling policy has it"
        hint = "set EstimatedInstanceWarmup on the policy"
        yield Hit("BL408", cooldown.key.span, message, hint=hint, key=f"{policy.name}.Cooldown")
