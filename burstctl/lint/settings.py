"""What a project may set for lint. Knows no files and no options."""

from collections.abc import Mapping

from burstctl.light import field, light

OWN_FILE = ".burstctl.toml"
FILES = (OWN_FILE, "pyproject.toml")
"""Where settings stand, the first that has any."""

RATE_VARIABLES = ("*RATE_LIMIT*", "*_RATE", "RATE", "*_RPS", "RPS", "*_QPS", "QPS", "*ARRIVAL_RATE*", "*MAX_RPS*")
INFERENCE_PATTERNS = (
    r"/v1/(chat/)?completions",
    r"/v1/embeddings",
    r"/generate\b",
    r"/predict",
    r"/infer",
    r"/invocations",
    r"/v2/models/[^\s]+/infer",
    r":predict",
    r"/score\b",
)
FLEET = ("*infer*", "*llm*", "*predict*", "*model*", "*serving*")
QUEUE_METRICS = (
    "*queue*",
    "*backlog*",
    "*pending*",
    "*waiting*",
    "*InFlight*",
    "*RequestCountPerTarget",
    "SpilloverCount",
    "ApproximateNumberOfMessages*",
    "ApproximateAgeOfOldestMessage",
)


@light
class Settings:
    """Everything that a rule may ask for; the defaults fit a project without configuration."""

    budget_per_s: float | None = None
    """What the whole fleet bears, in requests/s."""
    stages: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    """Shell patterns of stages and jobs that must declare a rate limit, whatever they run."""
    select: tuple[str, ...] = ()
    """Codes or their prefixes; none: all."""
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Codes by shell pattern of the path."""
    include_map: Mapping[str, str] = field(default_factory=dict)
    """Local files that stand for includes from elsewhere: `project:group/name/file.yml`, `remote:URL`, `template:NAME`,
    `component:ADDRESS`."""
    exclude: tuple[str, ...] = ()
    rate_variables: tuple[str, ...] = RATE_VARIABLES
    """Shell patterns of the names of variables that hold a rate."""
    inference_patterns: tuple[str, ...] = INFERENCE_PATTERNS
    """Regular expressions for the URL of an inference request."""
    fleet: tuple[str, ...] = ()
    """Shell patterns of the names of the groups that serve inference; none: names that sound like it."""
    queue_metrics: tuple[str, ...] = QUEUE_METRICS
    """Shell patterns of the metrics that tell how long a queue is."""
    health_check_s: float = 30
    """How long an instance may be down before its balancer knows."""
    longest_request_s: float = 30
    balancer_idle_timeout_s: float | None = None
    """After which the balancer hangs up; None: not known, and 60 s is what most have."""
