"""Services of the machine: memory limits, temporary folders, interrupts, Arrow streams, and progress messages."""
