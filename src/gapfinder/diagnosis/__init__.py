"""From the relations of a trace to its diagnosis: the verdict, the findings with their evidence, the ledger and the notes."""
