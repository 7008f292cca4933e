"""The SQL shell on one trace."""
