"""Saved results, read back from the json report: joined, or held against an earlier one. Knows no files."""
