"""The interchange format of HdrHistogram: how it counts values, how it writes and reads the counts. Knows no report."""
