"""SQL of the user's own on a trace: what may run, how it runs, and the shell."""
