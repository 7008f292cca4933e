"""Pages that open offline: of a trace, of a job, of a comparison and of a fleet."""
