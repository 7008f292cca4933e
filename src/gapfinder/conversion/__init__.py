"""A trace with its layers as a file that any client of DuckDB, or of Parquet, opens; and gapfinder too."""
