"""Commands: each module is one, thin: it parses, asks the analysis, and hands the result to a renderer."""
