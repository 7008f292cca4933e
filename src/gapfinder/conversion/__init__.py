"""Conversions: a trace with all its relations, as a DuckDB database or a folder of Parquet files. gapfinder opens them, too."""
