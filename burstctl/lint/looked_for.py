"""Where lint looks for CI files unasked, for help and messages. Knows names only."""

LOOKED_FOR = {
    "gitlab": ".gitlab-ci.yml",
    "github": ".github/workflows/*.yml",
    "circleci": ".circleci/config.yml",
    "azure": "azure-pipelines*.yml",
    "bitbucket": "bitbucket-pipelines.yml",
    "buildkite": ".buildkite/*.yml",
    "jenkins": "Jenkinsfile",
    "tekton": ".tekton/*.yml",
    "argo": "argo/*.yml",
    "manifest": "*burst.yaml",
}
"""By dialect; each name is one that the dialect takes, with any text for `*`."""
