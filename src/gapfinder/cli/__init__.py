"""The command line: the commands, their shared options, the SQL shell, and the generated reference."""
