"""What the fleet itself tells while it is under load: one file per kind of signal in `kind/`."""
