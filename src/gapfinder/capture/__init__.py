"""Records a running program with Nsight Systems, and says what this machine can record."""
