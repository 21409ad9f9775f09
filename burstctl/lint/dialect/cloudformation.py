"""CloudFormation: tells templates that declare a fleet, and reads them. Knows no resource's meaning."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "cloudformation"

_ENDINGS = (".yml", ".yaml", ".json", ".template")
_WORDS = r"\bAWS::(?:AutoScaling::(?:AutoScalingGroup|ScalingPolicy)|ElasticLoadBalancingV2::TargetGroup)\b"


def live(path: str) -> bool:
    """Tell whether a file is named as templates are, or lies in a folder that is."""
    lower = path.lower()
    if not lower.endswith(_ENDINGS) or lower.startswith("."):
        return False
    name = lower.rpartition("/")[2]
    return "cloudformation" in lower or "cfn" in lower or ".template" in name or name.startswith("template.")


def claims(text: str) -> bool:
    """Tell whether a template declares a part of a fleet."""
    return re.search(_WORDS, text) is not None


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a template: by its words."""
    return path.endswith(_ENDINGS) and ("AWSTemplateFormatVersion" in head or claims(head))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a template; `Unreadable` if it is no YAML or JSON."""
    from burstctl.lint.cloudformation.fleet import read_fleet
    from burstctl.lint.cloudformation.template import read_template

    fleet, hits = read_fleet(read_template(file))
    return Pipeline(NAME, file, hits=tuple(hits), files=(file,), fleet=fleet)
