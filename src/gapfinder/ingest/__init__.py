"""From a file on disk to the tables of `sql/0_export`: every kind of Nsight Systems trace there is."""
