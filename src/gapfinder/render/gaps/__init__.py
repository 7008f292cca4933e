"""A list of gaps: a table of its own, and else as rows."""
