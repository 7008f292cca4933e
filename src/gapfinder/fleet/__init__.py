"""Diagnoses many traces into one ledger: a folder that SQL can query and the report page shows."""
