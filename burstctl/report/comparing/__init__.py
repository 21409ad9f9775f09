"""Formats of a comparison of two results, one file each; the folder is their registry. Knows no files."""
