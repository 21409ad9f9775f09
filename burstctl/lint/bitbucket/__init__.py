"""Bitbucket Pipelines as Bitbucket reads it: a pipeline for each event, with steps, parallel groups and stages."""
