"""BL404: a target group that keeps leaving instances for long. Knows target groups, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.pipeline import Hit
from burstctl.lint.target_focus import target_focus

CODE = "BL404"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a target group waits much longer for leaving instances than any request takes"
RATIONALE = """\
While an instance leaves, the balancer waits for requests under way; nothing else happens in that time, neither a
deployment nor a replacement. The default of 300 s fits uploads, not inference. The longest request and 30 s more is
enough: the setting `longest-request` (30 s) says how long that is."""
EXAMPLE_PATH = "main.tf"
BAD = """\
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
}
"""
GOOD = """\
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
"""


_MARGIN_S = 30


def check(case: Case) -> Iterable[Hit]:
    """Look for target groups whose delay is above the longest request and a margin."""
    fleet, limit_s = case.fleet, case.settings.longest_request_s + _MARGIN_S
    for target in fleet.target_groups:
        severity = target_focus(target, fleet, case.settings)
        delay = target.deregistration
        if severity is None or delay.number is None or delay.number <= limit_s or not target.sure:
            continue
        wanted = f"{case.settings.longest_request_s:g}"
        yield Hit(
            CODE,
            delay.span,
            f"{target.name}: a leaving instance is kept for {delay.describe(' s')}",
            hint=f"{limit_s:g} s is the limit, by the longest request: wait for {wanted} s",
            severity=severity,
            confidence=Confidence.LIKELY if delay.source else None,
            key=target.name,
            fix=Fix(f"wait for {wanted} s", (Edit(delay.span, wanted),), safe=False) if delay.literal else None,
        )
