"""A comparison of traces, in each format."""
