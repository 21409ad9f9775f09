"""The only composition root: knows Click, streams and the environment; one file per command, imported on use."""
