"""Traces of Nsight Systems: a report, an SQLite or Parquet export of one, or what `gapfinder convert` made."""
