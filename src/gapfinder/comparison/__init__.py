"""Compares traces of one program: which is faster, by how much, what changed, and where the bottleneck is now."""
