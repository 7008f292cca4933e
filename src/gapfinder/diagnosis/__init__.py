"""Makes the diagnosis of a trace from its relations: verdict, findings with evidence, ledger, and notes."""
