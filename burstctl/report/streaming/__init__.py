"""Formats that are written as the run goes, one file each; the folder is their registry. Knows no files."""
