"""Azure Pipelines as Azure reads it: templates, template expressions, stages, jobs, strategies, variables."""
