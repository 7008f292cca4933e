"""What-if: parses the changes that a user requests, matches them with the trace, and predicts the step time by a replay."""
