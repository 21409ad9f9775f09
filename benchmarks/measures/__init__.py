"""The measures: one file each, with a function that gives a `Table`."""
