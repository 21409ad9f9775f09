"""Lint output formats: each module but the registry is one, with NAME and `render`."""
