"""Diagnoses a job of several ranks: aligns their clocks, matches their collectives, and charges the waiting to the late rank."""
