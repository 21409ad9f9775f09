"""From attempts and outcomes to a summary, in bounded memory. Knows nothing of verdicts."""
