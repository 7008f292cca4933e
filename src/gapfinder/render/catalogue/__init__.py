"""The documentation of views, in each format."""
