"""Records a program with Nsight Systems, and checks what this machine can record."""
