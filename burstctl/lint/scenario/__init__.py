"""Reads the rate out of the files that load generators are given. Runs nothing and knows no CI system."""
