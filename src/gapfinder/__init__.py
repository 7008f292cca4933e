"""gapfinder: why a GPU does not compute, for every nanosecond of an Nsight Systems trace."""

__version__ = "0.1.0"
