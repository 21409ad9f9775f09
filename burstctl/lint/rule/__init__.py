"""Lint rules: each module but the registry is one, with its CODE, examples and `check`."""
