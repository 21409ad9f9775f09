"""What bounds the rate of each load generator, one kind a file. Knows their options, nothing of CI systems."""
