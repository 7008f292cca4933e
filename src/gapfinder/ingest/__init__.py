"""Reads a trace from disk into tables of a database. Each kind of trace has a folder of its own."""
