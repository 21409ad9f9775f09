"""How rate and window follow from the answers, and when to try again. Knows nothing of sockets or files."""
