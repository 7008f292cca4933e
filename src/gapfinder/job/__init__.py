"""A job of several ranks: their clocks aligned, their collectives matched, and the waiting charged to the rank that was late."""
