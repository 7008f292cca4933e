"""The rows of a query, in each format."""
