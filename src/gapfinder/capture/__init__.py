"""Records a running program with Nsight Systems: what this nsys can record, the program's start, and its report."""
