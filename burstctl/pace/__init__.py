"""When the next send may go: the ceiling and its schedule. Knows nothing of answers."""
