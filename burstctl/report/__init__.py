"""One file per report format: NAME and render(summary, verdict) to text. The folder is the registry."""
