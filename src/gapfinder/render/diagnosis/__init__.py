"""The diagnosis of a trace, in each format."""
