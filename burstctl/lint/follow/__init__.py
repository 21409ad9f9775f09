"""Follows what a command names into the project: scripts, Makefile targets, package scripts. Runs nothing."""
