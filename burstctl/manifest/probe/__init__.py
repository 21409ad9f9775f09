"""The manifest's `probes`: their keys, what each kind takes, and what they come to. Reads no signal."""
