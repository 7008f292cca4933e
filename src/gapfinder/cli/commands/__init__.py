"""The commands. Each module is one command: it parses its options, calls the analysis, and passes the result to a renderer."""
