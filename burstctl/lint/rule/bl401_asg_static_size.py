"""BL401: an auto-scaling group that can't grow. Knows groups, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.focus import focus
from burstctl.lint.pipeline import Hit

CODE = "BL401"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "an auto-scaling group has the same smallest and largest size"
RATIONALE = """\
A group whose smallest and largest size are the same never grows, whatever a burst does to it: the queue grows
instead. Leave room above the usual size, and let a scaling policy use it."""
EXAMPLE_PATH = "main.tf"
BAD = """\
resource "aws_autoscaling_group" "inference" {
  min_size            = 3
  max_size            = 3
  vpc_zone_identifier = var.subnets
}

resource "aws_autoscaling_policy" "inference" {
  name                   = "cpu-70"
  autoscaling_group_name = aws_autoscaling_group.inference.name
  policy_type            = "TargetTrackingScaling"
  target_tracking_configuration {
    target_value = 70
    predefined_metric_specification {
      predefined_metric_type = "ASGAverageCPUUtilization"
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "queue" {
  alarm_name          = "inference-queue"
  namespace           = "Inference"
  metric_name         = "InferenceQueueLength"
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 300
  period              = 60
  evaluation_periods  = 2
}
"""
GOOD = """\
resource "aws_autoscaling_group" "inference" {
  min_size            = 3
  max_size            = 9
  vpc_zone_identifier = var.subnets
}

resource "aws_autoscaling_policy" "inference" {
  name                   = "cpu-70"
  autoscaling_group_name = aws_autoscaling_group.inference.name
  policy_type            = "TargetTrackingScaling"
  target_tracking_configuration {
    target_value = 70
    predefined_metric_specification {
      predefined_metric_type = "ASGAverageCPUUtilization"
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "queue" {
  alarm_name          = "inference-queue"
  namespace           = "Inference"
  metric_name         = "InferenceQueueLength"
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 300
  period              = 60
  evaluation_periods  = 2
}
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for groups of one size; those whose sizes somebody else may change are left alone."""
    for group in case.fleet.groups:
        severity = focus(group.titles, case.settings)
        low, high = group.minimum, group.maximum
        if severity is None or low is None or high is None or group.ignored & {"min_size", "max_size", "all"}:
            continue
        if low.number is None or low.number != high.number or high.number == 0:
            continue
        desired = " = desired" if group.desired and group.desired.number == low.number else ""
        sources = " and ".join(dict.fromkeys(one.source for one in (low, high) if one.source))
        yield Hit(
            CODE,
            high.span,
            f"{group.name} can't grow: smallest = largest{desired} = {low.number:g}"
            + (f" ({sources})" if sources else ""),
            hint="set the largest size to what a burst needs, and add a scaling policy",
            severity=severity if group.sure else Severity.NOTICE,
            confidence=Confidence.LIKELY if sources else None,
            key=group.name,
        )
