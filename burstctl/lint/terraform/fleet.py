"""Reads the fleet out of a root module's resources: groups, balancers, alarms. Knows the AWS provider's defaults."""

from collections.abc import Iterator, Sequence

from burstctl.lint.fleet import Alarm, Fleet, Group, Presence, TargetGroup
from burstctl.lint.pipeline import Hit
from burstctl.lint.terraform.model import Body
from burstctl.lint.terraform.module import Root
from burstctl.lint.terraform.resource import Resource, resources
from burstctl.lint.terraform.scaling import GROUP, ignored, misplaced, scaled
from burstctl.lint.terraform.scope import ELSEWHERE

_TARGET_GROUPS = ("aws_lb_target_group", "aws_alb_target_group")
_POLICIES = ("aws_autoscaling_policy", "aws_appautoscaling_policy")
_ATTACHMENTS = {
    "aws_autoscaling_attachment": ("lb_target_group_arn", "alb_target_group_arn", "elb"),
    "aws_autoscaling_traffic_source_attachment": ("traffic_source",),
}
_INTERVAL_S, _THRESHOLD, _DEREGISTRATION_S = 30, 3, 300
"""What the provider takes where nothing is said."""


def read_fleet(root: Root) -> tuple[Fleet, list[Hit]]:
    """Give the fleet that a root module declares, and what is wrong with its arguments."""
    everything = [one for scope in root.scopes() for one in resources(scope)]
    exported = _exported(root)
    links = list(_links(everything))
    groups = [_group(one, everything, links, exported) for one in everything if one.kind == GROUP]
    targets = [_target_group(one, links) for one in everything if one.kind in _TARGET_GROUPS]
    alarms = [alarm for one in everything for alarm in _alarms(one)]
    hits = [hit for one in everything if one.kind in _POLICIES for hit in misplaced(one)]
    return Fleet(tuple(groups), tuple(targets), tuple(alarms)), hits


def _group(
    one: Resource, everything: Sequence[Resource], links: Sequence[tuple[str, str]], exported: frozenset[str]
) -> Group:
    by = scaled(one, everything)
    return Group(
        name=one.address,
        key=one.block.key,
        titles=_titles(one),
        minimum=one.given("min_size"),
        maximum=one.given("max_size"),
        desired=one.given("desired_capacity"),
        health=one.setting("health_check_type", "EC2"),
        scaled=Presence.MAYBE if by is Presence.NO and one.address in exported else by,
        balanced=_balanced(one, links, everything),
        ignored=ignored(one),
        sure=one.sure,
    )


def _balanced(one: Resource, links: Sequence[tuple[str, str]], everything: Sequence[Resource]) -> Presence:
    filled = [one.is_filled(name) for name in ("target_group_arns", "load_balancers")]
    attached = any(group == one.address for group, _ in links)
    if True in filled or attached or any(one.body.find("traffic_source")):
        return Presence.YES
    unclear = any(
        other.kind in _ATTACHMENTS and ELSEWHERE in other.refs("autoscaling_group_name") for other in everything
    )
    return Presence.MAYBE if None in filled or unclear or one.body.generated("traffic_source") else Presence.NO


def _links(everything: Sequence[Resource]) -> Iterator[tuple[str, str]]:
    """Give the pairs of an auto-scaling group and a target group that belong together."""
    for one in everything:
        if one.kind == GROUP:
            inner = [one.refs("identifier", block.body) for block in one.body.find("traffic_source")]
            for target in one.refs("target_group_arns").union(*inner):
                yield one.address, target
        elif one.kind in _ATTACHMENTS:
            inner = [one.refs("identifier", block.body) for block in one.body.find("traffic_source")]
            targets = frozenset().union(*inner, *(one.refs(name) for name in _ATTACHMENTS[one.kind]))
            for group in one.refs("autoscaling_group_name"):
                yield from ((group, target) for target in targets or {ELSEWHERE})


def _target_group(one: Resource, links: Sequence[tuple[str, str]]) -> TargetGroup:
    check = next(one.body.find("health_check"), None)
    body = check.body if check else Body({}, ())
    key = check.key if check else one.block.key
    enabled = one.worth("enabled", body)
    return TargetGroup(
        name=one.address,
        key=one.block.key,
        titles=_titles(one),
        interval=one.setting("interval", _INTERVAL_S, body, key),
        threshold=one.setting("unhealthy_threshold", _THRESHOLD, body, key),
        deregistration=one.setting("deregistration_delay", _DEREGISTRATION_S),
        groups=frozenset(group for group, target in links if target == one.address),
        checked=not one.body.generated("health_check") and not (enabled and enabled.value is False),
        sure=one.sure and one.text("target_type") != "lambda",
    )


def _titles(one: Resource) -> frozenset[str]:
    """Give all that a resource is called."""
    names = [one.text(name) for name in ("name", "name_prefix")]
    names += [one.text("value", block.body) for block in one.body.find("tag") if one.text("key", block.body) == "Name"]
    return frozenset({one.block.labels[-1], *(name for name in names if name)})


def _alarms(one: Resource) -> Iterator[Alarm]:
    """Give the alarm that a resource is; target tracking makes its own."""
    if one.kind == "aws_cloudwatch_metric_alarm":
        metrics = [one.text("metric_name")]
        queries = list(one.body.find("metric_query"))
        metrics += [one.text("metric_name", metric.body) for query in queries for metric in query.body.find("metric")]
        known = tuple(name for name in metrics if name)
        yield Alarm(one.address, known)
    elif one.kind in _POLICIES:
        for metric in _tracked(one):
            yield Alarm(one.address, (metric,))
    elif one.kind == "module":
        source = (one.text("source") or "").lower()
        if metric_name := one.text("metric_name"):
            yield Alarm(one.address, (metric_name,))
        elif any(word in source for word in ("cloudwatch", "alarm", "monitor", "observab")):
            yield Alarm(one.address, ())


def _tracked(one: Resource) -> Iterator[str]:
    for block in one.body.blocks:
        for specification in block.body.blocks if block.kind.startswith("target_tracking") else ():
            for name in ("predefined_metric_type", "metric_name"):
                if metric := one.text(name, specification.body):
                    yield metric


def _exported(root: Root) -> frozenset[str]:
    """Give what a module that others may call hands out; a root module with providers is called by nobody."""
    if root.scope.blocks("provider"):
        return frozenset()
    values = [block.body.attributes.get("value") for block in root.scope.blocks("output")]
    return frozenset().union(*(root.scope.work_out(value.expression).refs for value in values if value))
