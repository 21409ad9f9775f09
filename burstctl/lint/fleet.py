"""What a fleet's files declare, in neutral words: groups, alarms, servers, units. Knows no file format."""

from collections.abc import Iterator
from enum import Enum

from burstctl.light import light
from burstctl.lint.file import Span

Plain = str | int | float | bool | None


class Presence(Enum):
    """Whether something is there, as far as the files tell."""

    NO = "no"
    MAYBE = "maybe"
    YES = "yes"


@light
class Setting:
    """One argument of something; its place is its value, or its owner's name where it is left to the default."""

    span: Span
    value: Plain = None
    known: bool = True
    source: str = ""
    """Where the value comes from, if not from its place: `by default`, `from var.size`…"""
    literal: bool = False
    """It stands in its place as it is, so that another value may take that place."""

    @property
    def number(self) -> float | None:
        """Give the value as a number; None where it is none, or not known."""
        if not self.known or isinstance(self.value, bool) or self.value is None:
            return None
        try:
            return float(self.value)
        except (ValueError, OverflowError):
            return None

    @property
    def word(self) -> str | None:
        """Give the value as text; None where it is none, or not known."""
        return self.value if self.known and isinstance(self.value, str) else None

    def describe(self, unit: str = "") -> str:
        """Write a number with where it comes from: `300 s by default`."""
        number = f"{self.number:g}{unit}" if self.number is not None else "an unknown number"
        return f"{number} {self.source}".rstrip()


@light
class Group:
    """An auto-scaling group."""

    name: str
    """Its address, such as `aws_autoscaling_group.api`."""
    key: Span
    titles: frozenset[str]
    """All that people call it: label, name, tags."""
    minimum: Setting | None
    maximum: Setting | None
    desired: Setting | None
    health: Setting
    """The health check's type."""
    scaled: Presence
    """By a policy or schedule."""
    balanced: Presence
    """It is behind a load balancer."""
    ignored: frozenset[str] = frozenset()
    """Arguments that somebody else may change."""
    sure: bool = True
    """It exists whatever the variables say."""


@light
class TargetGroup:
    """What a load balancer sends requests to."""

    name: str
    key: Span
    titles: frozenset[str]
    interval: Setting
    threshold: Setting
    """Checks that fail before it counts as unhealthy."""
    deregistration: Setting
    groups: frozenset[str] = frozenset()
    """The names of auto-scaling groups attached to it."""
    checked: bool = True
    sure: bool = True


@light
class Alarm:
    """An alarm, with the metrics that it watches; none: not known."""

    name: str
    metrics: tuple[str, ...]


class Place(Enum):
    """What kind of file starts a server."""

    UNIT = "unit"
    SCRIPT = "script"
    IMAGE = "image"
    CONFIG = "configuration"


@light
class Server:
    """An application server as one file starts or configures it."""

    program: str
    place: Place
    span: Span
    workers: Setting | None
    """None: said nowhere."""
    threads: Setting | None
    timeout: Setting | None
    classes: tuple[Setting, ...] = ()
    """Worker classes, each time one is given."""
    doubt: str = ""
    """Why what isn't said here may be said elsewhere: `EnvironmentFile= can't be read`."""

    @property
    def waits_by_itself(self) -> bool:
        """Tell whether workers report to their master while they serve, so that the time-out bounds no request."""
        return bool(self.classes) and self.classes[-1].value != "sync"


@light
class Unit:
    """A systemd unit that runs a server."""

    name: str
    section: Span
    restart: Setting | None
    after: Span
    """Its last command's line: what is added to the section follows it."""


@light
class Fleet:
    """All that one root module, template or serving file declares."""

    groups: tuple[Group, ...] = ()
    target_groups: tuple[TargetGroup, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    servers: tuple[Server, ...] = ()
    units: tuple[Unit, ...] = ()

    def targets_of(self, group: Group) -> Iterator[TargetGroup]:
        """Give the target groups that a group is attached to."""
        return (target for target in self.target_groups if group.name in target.groups)
