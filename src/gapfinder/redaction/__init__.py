"""A trace that can be shared: an SQLite export with what a diagnosis reads, and nothing of its machine and its user."""
