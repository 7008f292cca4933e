"""The proofs of workloads, in each format."""
