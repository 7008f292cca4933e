"""What came of workloads that were proved, in each format."""
