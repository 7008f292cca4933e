"""The SQL shell for a trace or for the ledger of a fleet."""
