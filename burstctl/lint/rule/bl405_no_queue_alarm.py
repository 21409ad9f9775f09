"""BL405: a fleet whose queue no alarm watches. Knows groups and metrics, no file format."""

import fnmatch
from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.fleet import Alarm, Fleet, Group
from burstctl.lint.focus import focus
from burstctl.lint.pipeline import Hit

CODE = "BL405"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.LIKELY
SUMMARY = "no alarm watches the queue of a fleet"
RATIONALE = """\
A queue that grows is the first sign of a fleet in trouble: it shows a minute before latency and health checks do,
and CPU may never show it. Have an alarm on the queue's length, or on requests per target; the setting
`queue-metrics` names metrics of your own. A group alone in its files, without balancer, alarm or policy, is not
judged."""
EXAMPLE_PATH = "main.tf"
BAD = """\
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
    """Look for groups whose surroundings are declared here, an alarm on a queue not among them."""
    fleet = case.fleet
    patterns = [pattern.lower() for pattern in case.settings.queue_metrics]
    if any(_may_watch(alarm, patterns) for alarm in fleet.alarms):
        return
    for group in fleet.groups:
        severity = focus(group.titles, case.settings)
        if severity is not None and group.sure and _has_surroundings(group, fleet):
            yield Hit(
                CODE,
                group.key,
                f"no alarm watches a queue in front of {group.name}",
                hint="add an alarm on the queue's length, such as InferenceQueueLength > 300 for 2 minutes",
                severity=severity,
                key=group.name,
            )


def _may_watch(alarm: Alarm, patterns: list[str]) -> bool:
    return not alarm.metrics or any(
        fnmatch.fnmatchcase(metric.lower(), pattern) for metric in alarm.metrics for pattern in patterns
    )


def _has_surroundings(group: Group, fleet: Fleet) -> bool:
    return bool(fleet.alarms) or any(fleet.targets_of(group))
