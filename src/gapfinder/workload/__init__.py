"""Workloads are programs with a planted fault. A proof shows that gapfinder finds the fault and that its fix helps."""
