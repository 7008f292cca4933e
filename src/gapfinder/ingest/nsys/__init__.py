"""Traces of Nsight Systems: a report, an SQLite or Parquet export of one, or a conversion that `gapfinder convert` made."""
