"""What a machine can record, and what a trace holds."""
