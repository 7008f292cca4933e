"""The command line: its commands, the options that they share, the SQL shell, and the reference of all of it."""
