"""Makes the diagnosis of a trace from its relations: verdict, causes with evidence, ledger, and notes."""
