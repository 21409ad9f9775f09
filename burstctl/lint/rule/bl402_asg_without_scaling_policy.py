"""BL402: an auto-scaling group that nothing scales. Knows groups, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.fleet import Presence
from burstctl.lint.focus import focus
from burstctl.lint.pipeline import Hit

CODE = "BL402"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "no policy or schedule scales an auto-scaling group"
RATIONALE = """\
An auto-scaling group scales only when something tells it to: a policy, a schedule, a capacity provider. Without any
it stays at its desired size for ever, and a burst meets the same machines as a quiet night. The whole root module is
looked at, with its local modules; a policy that only may exist counts."""
EXAMPLE_PATH = "main.tf"
BAD = """\
resource "aws_autoscaling_group" "inference" {
  min_size            = 3
  max_size            = 9
  vpc_zone_identifier = var.subnets
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
    """Look for groups that surely nothing scales."""
    for group in case.fleet.groups:
        severity = focus(group.titles, case.settings)
        if severity is None or group.scaled is not Presence.NO:
            continue
        yield Hit(
            CODE,
            group.key,
            f"nothing scales {group.name}: there is no policy or schedule for it",
            hint="add a target-tracking policy, at 70 % CPU or on requests per target",
            severity=severity if group.sure else Severity.NOTICE,
            key=group.name,
        )
