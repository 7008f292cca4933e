"""The SQL shell on a trace, or on the ledger of a fleet."""
