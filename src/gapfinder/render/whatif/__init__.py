"""The answer to a what-if, in each format."""
