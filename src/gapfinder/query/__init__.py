"""SQL on a database in memory: which statements a user may run, how one runs, and what its rows are in Python."""
