"""CircleCI as CircleCI reads it: workflows, jobs, commands, executors, parameters, matrices."""
