"""The SQL shell for a trace or for a fleet."""
