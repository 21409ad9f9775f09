"""Buildkite as Buildkite reads it: steps, groups, waits, parallelism, matrices, pipelines that a step uploads."""
