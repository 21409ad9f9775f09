"""From a manifest file to a plan: reads, checks, resolves. Knows nothing of sending."""
