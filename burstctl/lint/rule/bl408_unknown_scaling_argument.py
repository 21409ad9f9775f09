"""BL408: an argument that a scaling policy doesn't have. Knows nothing of providers; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL408"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a target-tracking policy has an argument that the provider refuses"
RATIONALE = """\
Target tracking has no cooldown: it waits for the warm-up of new instances instead. An argument that the provider
doesn't have stops the apply, and the group stays without a policy. Use estimated_instance_warmup on the policy, or
default_instance_warmup on the group."""
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
    cooldown     = 60
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
  estimated_instance_warmup = 60
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
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
