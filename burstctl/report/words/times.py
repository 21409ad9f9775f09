"""Names the distributions of times that reports show, and their figures. Knows no format."""

DISTRIBUTIONS = {
    "latency": "sent to last byte",
    "response": "due to last byte",
    "wait": "due to first send",
    "ttfb": "sent to first byte",
    "failed": "sent to failure",
}
FIGURES = ("p50", "p90", "p95", "p99", "max", "mean")
