"""The words that gapfinder uses, in each format."""
