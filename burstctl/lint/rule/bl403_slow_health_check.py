"""BL403: a health check that takes long to see a dead instance. Knows target groups, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.fleet import Setting
from burstctl.lint.pipeline import Hit
from burstctl.lint.target_focus import target_focus

CODE = "BL403"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a health check takes longer to see a dead instance than it may"
RATIONALE = """\
Interval × unhealthy threshold is how long the balancer goes on sending requests to an instance that doesn't answer.
With the defaults, 30 s × 3, that is a minute and a half of a burst. 10 s × 3 finds out in half a minute; the setting
`health-check` says how long is bearable."""
EXAMPLE_PATH = "main.tf"
BAD = """\
resource "aws_lb_target_group" "inference" {
  name     = "inference"
  port     = 8000
  protocol = "HTTP"
  vpc_id   = var.vpc
  health_check {
    path                = "/health"
    interval            = 30
    unhealthy_threshold = 3
  }

  deregistration_delay = 30
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


def check(case: Case) -> Iterable[Hit]:
    """Look for target groups whose check is slower than the settings allow."""
    fleet, limit_s = case.fleet, case.settings.health_check_s
    for target in fleet.target_groups:
        severity = target_focus(target, fleet, case.settings)
        interval, threshold = target.interval, target.threshold
        if severity is None or not target.checked or interval.number is None or threshold.number is None:
            continue
        takes_s = interval.number * threshold.number
        if takes_s <= limit_s:
            continue
        yield Hit(
            CODE,
            interval.span,
            f"{target.name}: a dead instance gets requests for {takes_s:g} s "
            f"(interval {interval.describe(' s')} × unhealthy threshold {threshold.describe()})",
            hint=f"{limit_s:g} s is the limit: check every 10 s",
            severity=severity if target.sure else Severity.NOTICE,
            confidence=Confidence.LIKELY if interval.source or threshold.source else None,
            key=target.name,
            fix=_fix(interval, int(limit_s // threshold.number)),
        )


def _fix(interval: Setting, longest_s: int) -> Fix | None:
    """Shorten an interval that stands there in plain digits, as far as load balancers take it."""
    wanted = min(10, longest_s)
    if not interval.literal or wanted < 5:
        return None
    return Fix(f"check every {wanted} s", (Edit(interval.span, str(wanted)),), safe=False)
