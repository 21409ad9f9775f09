"""CI systems that are merely scanned for the commands they run: Jenkins, Tekton, Argo Workflows."""
