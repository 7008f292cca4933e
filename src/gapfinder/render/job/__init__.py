"""The diagnosis of a job, in each format."""
