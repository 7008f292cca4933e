"""From a file on disk to tables in a database: every kind of trace that can be read, one folder each."""
