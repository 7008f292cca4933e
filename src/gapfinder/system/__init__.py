"""What the machine gives to a run: memory, temporary folders, interrupts, streams of rows, and the progress that a user sees."""
