"""BL407: a desired size that takes back what a policy has scaled. Knows groups, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.fleet import Presence
from burstctl.lint.focus import focus
from burstctl.lint.pipeline import Hit

CODE = "BL407"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "each apply sets a scaled group back to its desired size"
RATIONALE = """\
A policy changes a group's desired size. Where the size stands in the files too, the next apply sets it back, maybe
in the middle of a burst. Leave desired_capacity out, or tell Terraform to ignore what it has become."""
EXAMPLE_PATH = "main.tf"
BAD = """\
resource "aws_autoscaling_group" "inference" {
  min_size            = 3
  max_size            = 9
  desired_capacity    = 3
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
  desired_capacity    = 3
  lifecycle {
    ignore_changes = [desired_capacity]
  }
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
    """Look for scaled groups with a desired size that nobody ignores."""
    for group in case.fleet.groups:
        if group.desired is None or not group.desired.known or group.scaled is not Presence.YES:
            continue
        if group.ignored & {"desired_capacity", "all"} or focus(group.titles, case.settings) is None:
            continue
        yield Hit(
            CODE,
            group.desired.span,
            f"each apply sets {group.name} back to {group.desired.describe()}, whatever its policy has done",
            hint="leave desired_capacity out, or add lifecycle { ignore_changes = [desired_capacity] }",
            key=group.name,
        )
