"""SQL queries by the user: which statements are allowed, and how one runs and becomes a polars frame."""
