"""A dry-run: a few requests sent slowly, each exchange shown, and what the whole plan would take."""
