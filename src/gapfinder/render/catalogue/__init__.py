"""What there is to query, in each format."""
