"""A list of gaps, as a table. In the other formats gaps are rendered as rows."""
