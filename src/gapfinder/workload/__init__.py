"""The workloads: programs with a planted fault, and the proof that it is found, and gone once it is mended."""
