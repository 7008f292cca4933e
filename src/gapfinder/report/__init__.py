"""HTML pages that work offline: for a trace, a job, a comparison and a fleet."""
