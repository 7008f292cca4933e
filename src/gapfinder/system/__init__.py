"""Services of the machine: memory limits, temporary folders, interrupts, Arrow streams, texts, and files written as a whole."""
