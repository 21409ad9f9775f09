"""BL406: an auto-scaling group that keeps instances its balancer gave up. Knows groups, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.fleet import Presence
from burstctl.lint.focus import focus
from burstctl.lint.pipeline import Hit

CODE = "BL406"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "an auto-scaling group behind a balancer doesn't look at the balancer's health checks"
RATIONALE = """\
With the health check type EC2, the default, an instance counts as healthy as long as its machine runs. A server that
hangs is taken out of the balancer and never replaced, and the rest of the fleet serves its share. Set
health_check_type to ELB."""
EXAMPLE_PATH = "main.tf"
BAD = """\
resource "aws_autoscaling_group" "inference" {
  min_size            = 3
  max_size            = 9
  target_group_arns   = [aws_lb_target_group.inference.arn]
  vpc_zone_identifier = var.subnets
}

resource "aws_lb_target_group" "inference" {
  name     = "inference"
  port     = 8000
  protocol = "HTTP"
  vpc_id   = var.vpc
  health_check {
    path                = "/health"
    interval            = 10
    unhealthy_threshold = 3
  }

  deregistration_delay = 30
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
  target_group_arns   = [aws_lb_target_group.inference.arn]
  health_check_type   = "ELB"
  vpc_zone_identifier = var.subnets
}

resource "aws_lb_target_group" "inference" {
  name     = "inference"
  port     = 8000
  protocol = "HTTP"
  vpc_id   = var.vpc
  health_check {
    path                = "/health"
    interval            = 10
    unhealthy_threshold = 3
  }

  deregistration_delay = 30
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
    """Look for groups behind a balancer that ask the machine alone."""
    for group in case.fleet.groups:
        severity = focus(group.titles, case.settings)
        if severity is None or group.balanced is not Presence.YES or group.health.word != "EC2":
            continue
        yield Hit(
            CODE,
            group.health.span,
            f"{group.name} is behind a balancer and doesn't replace instances that the balancer finds unhealthy "
            f"(health check type EC2 {group.health.source}".rstrip()
            + ")",
            hint="set the group's health check type to ELB",
            severity=SEVERITY if group.sure else Severity.NOTICE,
            key=group.name,
            fix=Fix("use the balancer's health checks", (Edit(group.health.span, '"ELB"'),), safe=False)
            if group.health.literal
            else None,
        )
