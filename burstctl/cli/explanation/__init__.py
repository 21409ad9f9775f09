"""What `burstctl explain` can explain: each module but the registry has TITLE, `topics` and `explain`."""
