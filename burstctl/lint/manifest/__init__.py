"""burst manifests as lint reads them: YAML with positions, without the schema that a run checks them by."""
