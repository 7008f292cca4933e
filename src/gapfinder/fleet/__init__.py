"""Diagnoses many traces into one folder that SQL can query and the report page shows."""
