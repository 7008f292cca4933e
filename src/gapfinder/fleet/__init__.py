"""Many traces: each is diagnosed as a task, and kept as a row of a ledger, which is asked in SQL and drawn as a page."""
