"""GitLab CI as GitLab reads it: includes, inputs, extends, references, defaults, variables, parallel, children."""
