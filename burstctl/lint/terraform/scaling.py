"""Finds what changes the size of auto-scaling groups, and arguments that a scaling policy can't have. Knows no rule."""

from collections.abc import Iterator, Sequence

from burstctl.lint.fleet import Presence
from burstctl.lint.pipeline import Hit
from burstctl.lint.terraform.resource import Resource
from burstctl.lint.terraform.scope import ELSEWHERE

GROUP = "aws_autoscaling_group"
_SCALERS = {
    "aws_autoscaling_policy": "autoscaling_group_name",
    "aws_autoscaling_schedule": "autoscaling_group_name",
}
_ADOPTERS = ("aws_ecs_capacity_provider", "aws_autoscalingplans_scaling_plan")
"""Resources that scale groups which they name somewhere inside."""

_TRACKING = "target_tracking_configuration"
_TRACKING_ARGUMENTS = {
    _TRACKING: frozenset({"target_value", "disable_scale_in"}),
    "target_tracking_scaling_policy_configuration": frozenset(
        {"target_value", "disable_scale_in", "scale_in_cooldown", "scale_out_cooldown"}
    ),
}
_NOT_FOR_TRACKING = {
    "cooldown": "only a SimpleScaling policy has it",
    "scaling_adjustment": "only a SimpleScaling policy has it",
    "metric_aggregation_type": "only a StepScaling policy has it",
}
"""Arguments of `aws_autoscaling_policy` that are refused when its type is TargetTrackingScaling."""
_HINT = "set estimated_instance_warmup on the policy, or default_instance_warmup on the group"


def scaled(group: Resource, everything: Sequence[Resource]) -> Presence:
    """Tell whether anything scales a group."""
    found = [_scales(one, group) for one in everything]
    if Presence.YES in found:
        return Presence.YES
    return Presence.MAYBE if Presence.MAYBE in found or _has_keeper(group) else Presence.NO


def _scales(one: Resource, group: Resource) -> Presence:
    sure = Presence.YES if one.sure else Presence.MAYBE
    if one.kind in _SCALERS:
        name, refs = one.text(_SCALERS[one.kind]), one.refs(_SCALERS[one.kind])
        if group.address in refs or (name is not None and name == group.text("name")):
            return sure
        return Presence.MAYBE if ELSEWHERE in refs else Presence.NO
    if one.kind in _ADOPTERS:
        bodies = [one.body, *(block.body for block in one.body.blocks)]
        refs = frozenset().union(*(one.refs(name, body) for body in bodies for name in body.attributes))
        return sure if group.address in refs else Presence.NO
    if one.kind == "module" and any(group.address in one.refs(name) for name in one.body.attributes):
        return Presence.MAYBE
    return Presence.NO


def _has_keeper(group: Resource) -> bool:
    """Tell whether somebody outside of Terraform is meant to change a group's size."""
    if ignored(group) & {"desired_capacity", "min_size", "max_size", "all"}:
        return True
    keys = [group.text("key", block.body) or "" for block in group.body.find("tag")]
    return any("cluster-autoscaler" in key or "karpenter" in key for key in keys)


def ignored(group: Resource) -> frozenset[str]:
    """Give the arguments in `ignore_changes`."""
    found: set[str] = set()
    for block in group.body.find("lifecycle"):
        if attribute := block.body.attributes.get("ignore_changes"):
            found.update(word.strip('[]" \n') for word in attribute.span.text.split(","))
    return frozenset(found)


def misplaced(policy: Resource) -> Iterator[Hit]:
    """Find arguments that the provider refuses for target tracking."""
    tracking = [block for block in policy.body.blocks if block.kind in _TRACKING_ARGUMENTS]
    for block in tracking:
        for name, attribute in block.body.attributes.items():
            if name not in _TRACKING_ARGUMENTS[block.kind]:
                message = f"{block.kind} has no argument {name}: the provider refuses it"
                hint = _HINT if "cooldown" in name and block.kind == _TRACKING else None
                yield Hit("BL408", attribute.key, message, hint=hint, key=f"{policy.address}.{name}")
    if policy.kind != "aws_autoscaling_policy":
        return
    kind = policy.text("policy_type") if policy.worth("policy_type") else "SimpleScaling"
    if kind == "TargetTrackingScaling":
        for name, reason in _NOT_FOR_TRACKING.items():
            if (worth := policy.worth(name)) and worth.value != 0:
                message = f"a TargetTrackingScaling policy has no {name}: {reason}"
                key = policy.body.attributes[name].key
                yield Hit(
                    "BL408", key, message, hint=_HINT if name == "cooldown" else None, key=f"{policy.address}.{name}"
                )
    elif kind in ("SimpleScaling", "StepScaling") and tracking:
        message = f'a {kind} policy has no {_TRACKING}: it needs policy_type = "TargetTrackingScaling"'
        yield Hit("BL408", tracking[0].key, message, key=f"{policy.address}.{_TRACKING}")
